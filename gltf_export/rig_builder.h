/// A skeleton and its clips as a tinygltf model.
#pragma once

#include <tiny_gltf.h>

#include "../core/asset.h"
#include "gltf_file.h"

namespace reanima::gltf {

/// @see buildModel()
[[nodiscard]] tinygltf::Model buildRig(const core::Asset& asset, const GltfOptions& options);

}  // namespace reanima::gltf
