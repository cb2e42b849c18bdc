/// Adds animations to existing glTF files and keeps everything else.
#pragma once

#include <span>

#include "../core/clip.h"
#include "gltf_file.h"
#include "gltf_skeleton.h"

namespace reanima::gltf {

/// The file with the clips added as animations. It is a .glb, or a .gltf with its buffer.
///
/// The JSON is changed as text, and data is appended to the BIN chunk. All other content stays unchanged, character by
/// character, including numbers and unknown extensions. These parts change:
/// * `animations`, `accessors` and `bufferViews`
/// * `buffers`, which are merged into the BIN chunk
/// * `images`: files of images are moved to the BIN chunk; a warning names files that are not found
/// * `extras.reanima` of the scene
/// * animated nodes with a matrix: translation, rotation and scale replace it, as glTF requires Joints without a node
/// become new nodes at the end of the file's list. They are children of their parents' nodes, or nodes of the default
/// scene. The new nodes are in no skin. A joint gets a key in every added animation if it is in a skin, or if a clip or
/// an animation of the file moves it. Clip names are made unique among the file's animations, and names of new nodes
/// among its nodes. With GltfOptions::replacesAnimations the clips replace the animations of the file. Data that only
/// the replaced animations used is removed, unless an extension may use it.
/// @param rig the result of readRig() for the same file; joints may have been added at the end of its skeleton
/// @param clips move the joints of rig.skeleton; a clip without tracks is left out
/// @param options only contentKey, compact and replacesAnimations are used
/// @param bufferName name of the buffer's file; empty: a .glb is made
/// @return a file that refers to the bytes of `input`
/// @throws core::DecodeError if the file can't be read; of the kind `limit` if it and the clips together exceed
/// Limits::memory
/// @throws std::invalid_argument for a rig of another file, for invalid joints and clips, for 4 GiB and more, or if
/// animations would be replaced but no clip has tracks
[[nodiscard]] GltfFile addAnimations(const GltfInput& input, const Rig& rig, std::span<const core::Clip> clips,
                                     const GltfOptions& options, const core::Limits& limits,
                                     core::Diagnostics& diagnostics, const std::string& bufferName = {});

}  // namespace reanima::gltf
