/// Skeletons of files that other programs wrote.
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

/// Whether a rig was read mirrored; nothing if unknown.
using AskWhetherMirrored = std::function<std::optional<bool>(const core::Rig& rig)>;

/// The skeleton of a file that Assimp reads: the module `reanima_rigs` is loaded for it. Errors and warnings use the
/// given path.
/// @param bytes of the file, which Assimp reads again
/// @param content null, or receives the other content of the file if it has a mesh
/// @param isMirrored decides for a model of Memoria, whose file does not state it; empty: by its name
/// @throws core::DecodeError if the file can't be read, has no skeleton, or the module is missing; of the kind `limit`
/// if Assimp might take more than Limits::memory
[[nodiscard]] core::Rig readOtherRig(const std::filesystem::path& path, core::ByteVector bytes,
                                     const core::Limits& limits, core::SceneContent* content,
                                     core::Diagnostics& diagnostics, const AskWhetherMirrored& isMirrored = {});

/// The nodes and animations of a .glb or .gltf, or of a file that Assimp reads: a MotionReader.
/// @throws core::DecodeError as readOtherRig() does
[[nodiscard]] core::MovingScene readOtherMotion(const core::File& file, const core::Siblings& beside,
                                                const core::Limits& limits, core::Diagnostics& diagnostics);

/// Assimp's readers crash, or use unlimited memory, on some damaged files: a copy of the process reads the file first.
/// @param size of the file: the time limit grows with it
/// @throws core::DecodeError if that crashes; of the kind `limit` if it takes too long or more than Limits::memory
void tryToRead(const RigsModule& module, const std::string& path, std::uint64_t size, const core::Limits& limits);

/// @throws core::DecodeError if the module was not built with this program
void requireVersion(const RigsModule& module, std::string_view expected);

}  // namespace reanima::tool
