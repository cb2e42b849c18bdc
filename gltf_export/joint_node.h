/// Joints as nodes of a tinygltf model.
#pragma once

#include "core/skeleton.h"
#include "gltf_file.h"
#include "model.h"

namespace reanima::gltf {

/// The joint at its rest, without children, and what its extras say; a compact file has none.
/// @param index of the joint in its skeleton
[[nodiscard]] tinygltf::Node nodeOf(const core::Joint& joint, std::size_t index, const GltfOptions& options);

}  // namespace reanima::gltf
