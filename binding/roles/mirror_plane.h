/// Left and right of a mesh.
#pragma once

#include <optional>
#include <vector>

#include <glm/vec3.hpp>

namespace reanima::roles {

/// The direction across the plane in which points are their own mirror image, as those of a head are: a unit vector to
/// one side of it, whichever.
///
/// It is surely that plane: points that are mirrored in it lie within 1 % of the size of others on average, and in
/// every plane that is turned by 20 degrees or more they are 4 times as far off. None for round and lopsided things,
/// and for fewer points than 12.
[[nodiscard]] std::optional<glm::dvec3> mirrorDirection(const std::vector<glm::vec3>& points);

}  // namespace reanima::roles
