/// From a file to an asset that is ready to be written or played, in one call.
#pragma once

#include <filesystem>
#include <string>

#include "pipeline.h"

namespace reanima {

struct LoadedFile {
    core::Asset asset;
    PipelineReport report;
    core::Diagnostics diagnostics;  ///< what was doubtful
};

/// Reads a file with its companions, which are looked for beside it, and takes it through the settings.
/// @param path of a file, or ARCHIVE:ENTRY; so are the paths in the settings
/// @param settings copied where it is needed later; the object may go
/// @throws core::DecodeError if the file can't be read, or the settings are wrong (of the kind `option`)
[[nodiscard]] LoadedFile loadFile(const std::filesystem::path& path, const Settings& settings = {});

/// The same for a file in memory.
/// @param name tells the format where the content does not, and names clips
/// @param given its companions
[[nodiscard]] LoadedFile loadBytes(core::ByteVector bytes, const std::string& name, const Settings& settings = {},
                                   const Companions& given = {});

/// A file of the file system, with the files of its folder as siblings; or ARCHIVE:ENTRY, with the archive's entries.
/// @throws core::DecodeError if it can't be read or is larger than Limits::fileSize
[[nodiscard]] Input openInput(const std::filesystem::path& path, const core::Limits& limits = {});

/// Opens files for setSetting(): paths as std::filesystem takes them.
[[nodiscard]] OpenFile folderAccess(const core::Limits& limits = {});

}  // namespace reanima
