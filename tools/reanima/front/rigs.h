/// Skeletons of files that other programs wrote.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "core/bytes.h"
#include "core/diagnostics.h"
#include "core/limits.h"
#include "core/rig.h"
#include "pipeline/rigs_module.h"

namespace reanima::tool {

/// The skeleton of a file that Assimp reads: the module `reanima_rigs` is loaded for it.
/// Errors and warnings name the path as it was given.
/// @param bytes of the file, which Assimp reads again
/// @throws core::DecodeError if the file can't be read, holds no skeleton, or the module is missing; of the kind
/// `limit` if Assimp might take more than Limits::memory
[[nodiscard]] core::Rig readOtherRig(const std::filesystem::path& path, core::ByteVector bytes,
                                     const core::Limits& limits, core::Diagnostics& diagnostics);

/// @throws core::DecodeError if the module was not built with this program
void requireVersion(const RigsModule& module, std::string_view expected);

}  // namespace reanima::tool
