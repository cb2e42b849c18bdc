/// Adds animations to existing glTF files and keeps everything in them.
#pragma once

#include <span>

#include "../core/clip.h"
#include "gltf_file.h"
#include "gltf_skeleton.h"

namespace reanima::gltf {

/// The file as a .glb, or a .gltf and its buffer, with the clips added as animations.
///
/// The JSON is changed as text and the data are appended to the BIN chunk: all other content stays unchanged, character
/// by character, including numbers and unknown extensions. Changed are `animations`, `accessors`, `bufferViews`,
/// `buffers` (they join the BIN chunk), `images` (those that are found join it, too; a warning names the others),
/// `extras.reanima` of the scene, and animated nodes with a matrix, which is replaced by translation, rotation and
/// scale as glTF requires.
///
/// Joints without a node become new ones, after those of the file: children of their parents' nodes, or nodes of the
/// default scene. No skin lists them.
///
/// Every joint that is in a skin, or that a clip or an animation of the file moves, gets a key in every added
/// animation. Clip names become unique among the animations of the file, and names of new nodes among its nodes.
///
/// With GltfOptions::replacesAnimations the clips replace the animations of the file, and the data that only those
/// used, unless an extension may use them, too.
/// @param rig from readRig() of the same file; joints may have been added at the end of its skeleton
/// @param clips on the joints of rig.skeleton; a clip without tracks is left out
/// @param options only contentKey, compact and replacesAnimations are used
/// @param bufferName of the buffer's file; empty: a .glb
/// @return a file that refers to the bytes of `input`
/// @throws core::DecodeError if the file can't be read; of the kind `limit` if it and the clips together exceed
/// Limits::memory
/// @throws std::invalid_argument for a rig of another file, joints and clips that core::validate() refuses, for 4 GiB
/// and more, or if the animations are to be replaced and no clip has tracks
[[nodiscard]] GltfFile addAnimations(const GltfInput& input, const Rig& rig, std::span<const core::Clip> clips,
                                     const GltfOptions& options, const core::Limits& limits,
                                     core::Diagnostics& diagnostics, const std::string& bufferName = {});

}  // namespace reanima::gltf
