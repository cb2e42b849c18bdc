/// Skeletons of files that other programs wrote.
#pragma once

#include <filesystem>
#include <string_view>

#include "../../core/bytes.h"
#include "../../core/diagnostics.h"
#include "../../core/rig.h"

namespace reanima::tool {

/// True for a .glb or .gltf: by content, and by name where the content doesn't tell.
[[nodiscard]] bool isGltf(core::Bytes bytes, std::string_view name);

/// The skeleton of a file that Assimp reads: the module `reanima_rigs` is loaded for it.
/// Errors and warnings name the path as it was given.
/// @throws core::DecodeError if the file can't be read, holds no skeleton, or the module is missing
[[nodiscard]] core::Rig readOtherRig(const std::filesystem::path& path, core::Diagnostics& diagnostics);

}  // namespace reanima::tool
