/// From rotations back to the angles that a game stores: of all that mean nearly the same, those nearest to others.
///
/// Three angles tell every rotation twice, and near the pole (the middle one a quarter turn away) in as many ways as
/// there are angles. An animation that takes any of them jumps, and turns its joint between frames where it should not.
#pragma once

#include <array>

#include <glm/gtc/quaternion.hpp>

#include "axis_order.h"
#include "rotation.h"

namespace reanima::core {

/// Rotations about X, Y and Z, in 1/4096 turn; any number is one.
using RealAngles = std::array<double, 3>;
/// The same as whole numbers, 0 to 4095.
using WholeAngles = std::array<Angle, 3>;

/// The rotation that angles make.
/// @param factors a permutation of 0, 1 and 2
[[nodiscard]] glm::dquat rotationOf(const RealAngles& angles, const Factors& factors);

/// By how much a rotation near the pole may be off so that angles stay near others: 1 - the cosine of half of it.
enum class Closeness {
    stored,  ///< 0.02 degrees, a fourth of what whole units are off
    text,    ///< 0.001 degrees: 0.02 mm at the end of a bone of one metre
};

/// Angles that make a rotation, those nearest to `near`; each is less than half a turn from it. Within 5 degrees of the
/// pole the rotation may be off as far as `close` says.
/// @param rotation of unit length
[[nodiscard]] RealAngles nearestAngles(const glm::dquat& rotation, const Factors& factors, const RealAngles& near,
                                       Closeness close = Closeness::stored);

/// The same as multiples of 1 << `keyBits`: the rounded neighbours that are off least. With whole units that is by 0.08
/// degrees at most.
[[nodiscard]] WholeAngles nearestAngles(const glm::dquat& rotation, const Factors& factors, const WholeAngles& near,
                                        unsigned keyBits = 0);

}  // namespace reanima::core
