/// Joints as nodes of a tinygltf model.
#pragma once

#include "core/skeleton.h"
#include "gltf_file.h"
#include "model.h"

namespace reanima::gltf {

/// The node of a joint in its rest pose, without children, and with extras unless the file is compact.
/// @param index the joint's index in its skeleton
[[nodiscard]] tinygltf::Node nodeOf(const core::Joint& joint, std::size_t index, const GltfOptions& options);

}  // namespace reanima::gltf
