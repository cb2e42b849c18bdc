/// Points that were turned, scaled and shifted together.
#pragma once

#include <span>

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>

namespace reanima::core {

/// x -> scale * (rotation * x) + shift
struct Similarity {
    double scale = 1;
    glm::dquat rotation{1, 0, 0, 0};
    glm::dvec3 shift{0};

    [[nodiscard]] glm::dvec3 of(const glm::dvec3& x) const { return scale * (rotation * x) + shift; }
    [[nodiscard]] glm::dvec3 inverseOf(const glm::dvec3& y) const {
        return glm::conjugate(rotation) * (y - shift) / scale;
    }
};

/// The one that leads from points to others with the least squares of distances (Horn 1987, by quaternions). Where the
/// points leave a turn open, as those on a line do, the smallest.
/// @param from as many as `to`; without an extent the scale is 1
[[nodiscard]] Similarity similarityBetween(std::span<const glm::dvec3> from, std::span<const glm::dvec3> to);

}  // namespace reanima::core
