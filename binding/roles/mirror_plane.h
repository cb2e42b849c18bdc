/// Finds the mirror plane of a mesh.
#pragma once

#include <optional>
#include <vector>

#include <glm/vec3.hpp>

namespace reanima::roles {

/// The normal of the plane about which points, such as those of a head, are symmetric. Its sign is arbitrary.
///
/// Only a certain plane is returned: on average, mirrored points are within 1 % of the size from other points. For
/// every plane at 20 degrees or more to it, they are at least 4 times as far away. None for round and asymmetric
/// shapes, and for fewer than 12 points.
[[nodiscard]] std::optional<glm::dvec3> mirrorDirection(const std::vector<glm::vec3>& points);

}  // namespace reanima::roles
