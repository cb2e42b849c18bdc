/// Skeletons of other programs' files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/bytes.h"
#include "core/diagnostics.h"
#include "core/files.h"
#include "core/limits.h"
#include "core/rig.h"
#include "core/scene_motion.h"
#include "pipeline/rigs_module.h"

namespace reanima::tool {

/// Returns whether a rig was read mirrored; empty if unknown.
using AskWhetherMirrored = std::function<std::optional<bool>(const core::Rig& rig)>;

/// Reads the skeleton of a file with Assimp, through the module `reanima_rigs`. Errors and warnings use the given path.
/// @param bytes content of the file; Assimp reads the file again
/// @param content null, or receives the other content of a file with a mesh
/// @param isMirrored whether a model of Memoria is mirrored, which its file does not state; empty: the name decides
/// @throws core::DecodeError if the file can't be read, has no skeleton, or the module is missing; of the kind `limit`
/// if Assimp might need more than Limits::memory
[[nodiscard]] core::Rig readOtherRig(const std::filesystem::path& path, core::ByteVector bytes,
                                     const core::Limits& limits, core::SceneContent* content,
                                     core::Diagnostics& diagnostics, const AskWhetherMirrored& isMirrored = {});

/// A MotionReader: reads the nodes and animations of a .glb or .gltf, or of a file that Assimp reads.
/// @throws core::DecodeError as readOtherRig() does
[[nodiscard]] core::MovingScene readOtherMotion(const core::File& file, const core::Siblings& beside,
                                                const core::Limits& limits, core::Diagnostics& diagnostics);

/// On some damaged files Assimp's readers crash or use unlimited memory. So a copy of the process reads the file first.
/// @param size size of the file: the time limit grows with it
/// @throws core::DecodeError if the copy crashes; of the kind `limit` if it exceeds the time limit or Limits::memory
void tryToRead(const RigsModule& module, const std::string& path, std::uint64_t size, const core::Limits& limits);

/// @throws core::DecodeError if the module was not built with this program
void requireVersion(const RigsModule& module, std::string_view expected);

}  // namespace reanima::tool
