/// Animations for glTF files that exist already, with everything that is in them.
#pragma once

#include <span>

#include "../core/clip.h"
#include "gltf_file.h"
#include "gltf_skeleton.h"

namespace reanima::gltf {

/// The file as a .glb, or a .gltf and its buffer, with the clips added as animations.
///
/// The JSON is changed as text and the data are appended to the BIN chunk: what the animations have no part in stays
/// character by character, numbers and unknown extensions included. Changed are `animations`, `accessors`,
/// `bufferViews`, `buffers` (they join the BIN chunk), `images` (those that are found join it, too; a warning names the
/// others), `extras.reanima` of the scene, and nodes that are animated now and state a matrix: it is replaced
/// by the translation, rotation and scale that glTF wants there.
///
/// Joints without a node become new ones, after those of the file: children of their parents' nodes, or nodes of the
/// scene that is shown. No skin lists them.
///
/// Every joint that a skin lists, or that some clip or an animation of the file moves, gets a key in every animation
/// that is added. Clip names become unique among the animations of the file, and names of new nodes among its nodes.
/// @param rig what readRig() made of the same file; its skeleton may have got further joints at its end
/// @param clips on the joints of rig.skeleton; a clip without tracks is left out
/// @param options contentKey and compact count
/// @param bufferName of the buffer's file; empty: a .glb
/// @return a file that refers to the bytes of `input`
/// @throws core::DecodeError if the file can't be read; of the kind `limit` if it and the clips take more than
/// Limits::memory together
/// @throws std::invalid_argument for a rig of another file, joints and clips that core::validate() refuses, or 4 GiB
/// and more
[[nodiscard]] GltfFile addAnimations(const GltfInput& input, const Rig& rig, std::span<const core::Clip> clips,
                                     const GltfOptions& options, const core::Limits& limits,
                                     core::Diagnostics& diagnostics, const std::string& bufferName = {});

}  // namespace reanima::gltf
