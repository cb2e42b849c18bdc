/// Reads skeletons of glTF files from any program.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "../core/diagnostics.h"
#include "../core/limits.h"
#include "../core/rig.h"
#include "gltf_input.h"

namespace reanima::gltf {

using core::Rig;

/// Whether Rig::look is read. Its pictures need time and memory.
enum class Looks : std::uint8_t { leftOut, read };

/// The skeleton of a .glb or .gltf. Rig::nodes are indices of glTF nodes. core::makeRig() describes which nodes are
/// joints and where the rest pose comes from. Units and axes are glTF's: metres, +Y up.
///
/// Vertices of meshes are read if possible, pictures only with Looks::read. Errors and warnings name the file and the
/// field (`nodes[3].children[1]`).
/// @throws core::DecodeError if the file can't be read or has no skeleton for binding motion
[[nodiscard]] Rig readRig(const GltfInput& input, const core::Limits& limits, core::Diagnostics& diagnostics,
                          Looks looks = Looks::leftOut);

/// The files that a .glb or .gltf refers to, in or below its folder, each once.
/// @throws core::DecodeError if this is not glTF 2.0
[[nodiscard]] std::vector<std::string> filesBeside(const GltfInput& input, const core::Limits& limits, Beside which);

/// readRig() as a reanima::RigReader, for functions such as loadFile().
/// @throws core::DecodeError, also for a file that is not a .glb or .gltf
[[nodiscard]] Rig readRigFile(core::File file, const core::Siblings& beside, const core::Limits& limits,
                              core::Diagnostics& diagnostics);

/// The skeleton of a .glb or .gltf in the file system. See readRig().
[[nodiscard]] Rig openRig(const std::filesystem::path& path, const core::Limits& limits = {});

}  // namespace reanima::gltf
