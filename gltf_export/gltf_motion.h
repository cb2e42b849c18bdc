/// Reads animations of glTF files from any program.
#pragma once

#include "../core/diagnostics.h"
#include "../core/limits.h"
#include "../core/scene_motion.h"
#include "gltf_input.h"

namespace reanima::gltf {

/// The nodes of a .glb or .gltf, its skins and its animations. Meshes, pictures and morph targets are ignored. All key
/// formats of glTF are supported: three kinds of interpolation, normalized integers, sparse accessors. Roles come from
/// VRM data. Errors and warnings name the file and the field (`animations[3].samplers[1].input`).
/// @throws core::DecodeError if the file can't be read; for times that do not ascend, values that are not finite,
/// rotations of length 0, compressed keys
[[nodiscard]] core::MovingScene readMotion(const GltfInput& input, const core::Limits& limits,
                                           core::Diagnostics& diagnostics);

/// readMotion() as a reanima::MotionReader, for functions such as loadFile().
/// @throws core::DecodeError, also for a file that is not a .glb or .gltf
[[nodiscard]] core::MovingScene readMotionFile(const core::File& file, const core::Siblings& beside,
                                               const core::Limits& limits, core::Diagnostics& diagnostics);

}  // namespace reanima::gltf
