/// Skeletons out of glTF files of any maker.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "../core/diagnostics.h"
#include "../core/limits.h"
#include "../core/rig.h"
#include "gltf_input.h"

namespace reanima::gltf {

using core::Rig;

/// The skeleton of a .glb or .gltf; Rig::nodes are indices of glTF nodes. Which nodes are joints, and where the rest
/// pose comes from: see core::makeRig(). Units and axes are glTF's: metres, +Y up.
///
/// Pictures are not looked at; of meshes the vertices are, as far as they can be read. Errors and warnings name
/// the file and the field (`nodes[3].children[1]`).
/// @throws core::DecodeError if the file can't be read or holds no skeleton that a motion can be bound to
[[nodiscard]] Rig readRig(const GltfInput& input, const core::Limits& limits, core::Diagnostics& diagnostics);

/// The files in its folder or below that a .glb or .gltf refers to, each once.
/// @throws core::DecodeError if this is no glTF 2.0
[[nodiscard]] std::vector<std::string> filesBeside(const GltfInput& input, const core::Limits& limits, Beside which);

/// The same as a function that hosts are given, such as loadFile(): a reanima::RigReader.
/// @throws core::DecodeError, also if this is no .glb or .gltf
[[nodiscard]] Rig readRigFile(core::File file, const core::Siblings& beside, const core::Limits& limits,
                              core::Diagnostics& diagnostics);

/// The skeleton of a .glb or .gltf in the file system. See readRig().
[[nodiscard]] Rig openRig(const std::filesystem::path& path, const core::Limits& limits = {});

}  // namespace reanima::gltf
