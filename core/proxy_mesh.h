/// A mesh that shows a skeleton: one octahedron per bone.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "skeleton.h"

namespace reanima::core {

/// Vertices in model space at the rest pose, each bound to one joint with the whole weight.
struct ProxyMesh {
    std::vector<glm::vec3> positions;
    std::vector<std::array<std::uint16_t, 4>> joints;
    std::vector<std::array<float, 4>> weights;
    std::vector<std::uint32_t> indices;
    glm::vec3 lowest{0};
    glm::vec3 highest{0};
};

/// An octahedron from every joint to the end of its bone, or to each child where the end is not known; a small one
/// where neither is.
[[nodiscard]] ProxyMesh makeProxyMesh(const Skeleton& skeleton);

}  // namespace reanima::core
