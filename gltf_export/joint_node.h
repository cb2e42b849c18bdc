/// Joints as nodes of a tinygltf model.
#pragma once

#include <tiny_gltf.h>

#include "../core/skeleton.h"

namespace reanima::gltf {

/// The joint at its rest, without children, and what its extras say.
/// @param index of the joint in its skeleton
[[nodiscard]] tinygltf::Node nodeOf(const core::Joint& joint, std::size_t index);

}  // namespace reanima::gltf
