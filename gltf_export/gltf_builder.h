/// Converts the common model to the parts of a glTF file.
#pragma once

#include <cstdint>
#include <string>

#include "byte_blocks.h"
#include "core/asset.h"
#include "core/limits.h"
#include "gltf_file.h"

namespace reanima::gltf {

/// The JSON of a model and the bytes of its buffer.
struct GltfParts {
    ByteBlocks json;
    core::ByteVector data;
    std::vector<ImageFile> images{};  ///< GltfFile::images
    double rotationError = 0;         ///< GltfFile::rotationError
};

/// Builds one model: a skeleton with its clips (a rig), meshes without joints, or a sequence of pictures (a flip-book).
///
/// A rig is built so that other programs show ONE armature with one action per clip:
/// * a container node with the identity transform, and every joint below it
/// * one skin that lists every joint, with inverse bind matrices of the rest pose
/// * one animation per clip, in which every joint has a key; animations without channels are left out
/// * one node with this skin for every mesh that follows joints. These nodes are beside the container, since transforms
///   above them would have no effect. Meshes without joints are below the container
///
/// A flip-book has a quad per picture, one unit high and facing +Z. Pictures share pages of texture. One animation
/// shows them in turn by stepping their scales between 0 and 1. With a key just before each step, the animation also
/// looks right in readers that only interpolate linearly.
/// @param bufferName the file of the buffer; empty: it is the BIN chunk, which also contains the images
/// @throws std::invalid_argument for an asset that validate() rejects, or that is too large for a .glb
/// @throws core::DecodeError for vertices that are too far away; of the kind `limit` if asset and parts together exceed
/// Limits::memory
[[nodiscard]] GltfParts buildGltf(const core::Asset& asset, const GltfOptions& options, const std::string& bufferName,
                                  const core::Limits& limits);

/// @throws std::invalid_argument for a buffer of more than 2 GiB, since many readers store offsets as signed 32 bits
void requireReadableSize(std::uint64_t bufferBytes);

}  // namespace reanima::gltf
