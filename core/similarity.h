/// Fits a rotation, scale and shift to points.
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

/// The similarity that maps points to others with the least squared error (Horn 1987, by quaternions). If several
/// rotations fit, as for points on a line, the smallest is used.
/// @param from as many points as `to`; if they have no extent, the scale is 1
[[nodiscard]] Similarity similarityBetween(std::span<const glm::dvec3> from, std::span<const glm::dvec3> to);

}  // namespace reanima::core
