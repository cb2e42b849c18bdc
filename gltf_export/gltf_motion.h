/// The animations of glTF files of any maker.
#pragma once

#include "../core/diagnostics.h"
#include "../core/limits.h"
#include "../core/scene_motion.h"
#include "gltf_input.h"

namespace reanima::gltf {

/// The nodes of a .glb or .gltf, its skins and its animations; meshes and pictures are not looked at. Keys may be
/// stored in any way that glTF has: three kinds of interpolation, normalized whole numbers, sparse. Morph targets are
/// left out. Roles are those that VRM states. Errors and warnings name the file and the field
/// (`animations[3].samplers[1].input`).
/// @throws core::DecodeError if the file can't be read; for times that do not rise, what is not finite, rotations
/// without a length, compressed keys
[[nodiscard]] core::MovingScene readMotion(const GltfInput& input, const core::Limits& limits,
                                           core::Diagnostics& diagnostics);

/// The same as a function that hosts are given, such as loadFile(): a reanima::MotionReader.
/// @throws core::DecodeError, also if this is no .glb or .gltf
[[nodiscard]] core::MovingScene readMotionFile(const core::File& file, const core::Siblings& beside,
                                               const core::Limits& limits, core::Diagnostics& diagnostics);

}  // namespace reanima::gltf
