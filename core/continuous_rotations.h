/// Converts a bone's angles over time to rotations with consistent signs.
#pragma once

#include <array>
#include <span>

#include <glm/gtc/quaternion.hpp>

#include "rotation.h"

namespace reanima::core {

/// X, Y and Z of every frame; an axis that never changes may have a single angle.
using AngleChannels = std::array<std::span<const Angle>, 3>;

/// The cosine, -1 to 1, of half the angle between two rotations: negative if one of them should be negated. q and -q
/// are the same rotation, but interpolation takes the shorter arc only if signs agree.
[[nodiscard]] inline float halfCosine(const glm::quat& a, const glm::quat& b) {
    return (a.x * b.x + a.w * b.w) + (a.y * b.y + a.z * b.z);
}

/// Fills `rotations` with composeZYX() of each frame's angles, converted by axes::fromYDown(). Each rotation gets the
/// sign that is nearer to its predecessor.
/// @return the number of neighbours that are far apart: with a halfCosine() below `nearCosine` (0 to 1)
std::size_t composeContinuously(const AngleChannels& angles, std::span<glm::quat> rotations, float nearCosine);

}  // namespace reanima::core
