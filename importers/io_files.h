/// Files through Assimp's IOSystem alone.
#pragma once

#include <string>

#include <assimp/IOSystem.hpp>

#include "archives/open_archives.h"
#include "pipeline/settings.h"

namespace reanima {

/// How archives are looked for through an IOSystem, which must live as long as what is opened.
[[nodiscard]] archives::FileAccess archiveAccess(Assimp::IOSystem& io);

/// `ARCHIVE:ENTRY` taken apart. Where a host's IOSystem knows such names as well, the archive counts all the same: that
/// is how files beside the entry are found.
[[nodiscard]] archives::EntryPath entryPathOf(Assimp::IOSystem& io, const std::string& path);

/// A file with the files of its folder as siblings, or an entry of an archive with those of the archive; one that is
/// read from memory has none.
/// @param known what was read of it a moment ago, if it was
/// @throws core::DecodeError if it can't be read or is larger than Limits::fileSize or what is left of Limits::memory
[[nodiscard]] Input openThrough(Assimp::IOSystem& io, const std::string& path, const core::Limits& limits,
                                std::optional<core::ByteVector> known = {});

/// The files beside one that need not be read itself; null for one that is read from memory.
[[nodiscard]] Siblings siblingsOf(Assimp::IOSystem& io, const std::string& path, const core::Limits& limits = {});

/// Opens files for settings. The IOSystem must live as long as the result.
[[nodiscard]] OpenFile accessThrough(Assimp::IOSystem& io, const core::Limits& limits);

}  // namespace reanima
