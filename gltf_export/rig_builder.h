/// A skeleton with its clips and meshes, or only meshes, as a glTF file.
#pragma once

#include "gltf_builder.h"

namespace reanima::gltf {

/// @see buildGltf()
[[nodiscard]] GltfParts buildRig(const core::Asset& asset, const GltfOptions& options, const std::string& bufferName,
                                 const core::Limits& limits);

}  // namespace reanima::gltf
