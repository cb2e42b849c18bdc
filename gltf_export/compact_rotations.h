/// Rotations in 16 bits per component.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <glm/gtc/quaternion.hpp>

namespace reanima::gltf {

/// A unit quaternion as glTF's normalized signed shorts: x, y, z, w in units of 1/32767.
using ShortQuat = std::array<std::int16_t, 4>;

/// Converts rotations to shorts, rounding each component. Readers normalize the decoded rotations.
class CompactRotations {
  public:
    [[nodiscard]] std::vector<ShortQuat> add(std::span<const glm::quat> rotations);

    /// The largest angle in degrees between a rotation and its shorts, over all rotations so far; below 0.004.
    [[nodiscard]] double largestError() const;

  private:
    double largestSine_ = 0;  // the sine of half the angle, squared
};

}  // namespace reanima::gltf
