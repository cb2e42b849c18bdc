/// Finds the mirror plane of a mesh.
#pragma once

#include <optional>
#include <vector>

#include <glm/vec3.hpp>

namespace reanima::roles {

/// The normal of the plane about which points, such as those of a head, are symmetric. Its sign is arbitrary.
///
/// A plane is returned only if it is certain: the mean distance from mirrored points to their nearest points is at most
/// 1 % of the size. For every plane at 20 degrees or more to it, this distance is at least 4 times as large. None for
/// round and asymmetric shapes, and for fewer than 12 points.
[[nodiscard]] std::optional<glm::dvec3> mirrorDirection(const std::vector<glm::vec3>& points);

}  // namespace reanima::roles
