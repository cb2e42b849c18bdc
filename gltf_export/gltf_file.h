/// The common model as the bytes of glTF 2.0 files.
#pragma once

#include <string>

#include "../core/asset.h"
#include "../core/bytes.h"

namespace reanima::gltf {

struct GltfOptions {
    /// Adds a mesh of one octahedron per bone, skinned: something to see, and a reason for optimisers to keep the skin.
    bool proxyMesh = false;
    /// Goes into scene.extras.reanima.key: what the file was made from.
    std::string contentKey{};
    /// Goes into the clips' extras: what was done with the root's motion.
    std::string rootMotion = "keep";
};

/// A binary file, whole. @throws std::invalid_argument as buildModel() does
[[nodiscard]] core::ByteVector writeGlb(const core::Asset& asset, const GltfOptions& options);

/// A text file and the buffer that it refers to as `bufferName`.
struct GltfPair {
    std::string json;
    core::ByteVector buffer;
};
[[nodiscard]] GltfPair writeGltf(const core::Asset& asset, const GltfOptions& options, const std::string& bufferName);

}  // namespace reanima::gltf
