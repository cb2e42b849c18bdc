/// Converts rotations back to a game's stored angles. Of all equivalent angles, the nearest to given ones are used.
///
/// Every rotation has two sets of three angles, and near the pole (middle angle at a quarter turn) infinitely many. An
/// animation that mixes these sets jumps, and rotates its joint wrongly between frames.
#pragma once

#include <array>

#include <glm/gtc/quaternion.hpp>

#include "axis_order.h"
#include "rotation.h"

namespace reanima::core {

/// Rotations about X, Y and Z, in 1/4096 turn; any number is allowed.
using RealAngles = std::array<double, 3>;
/// Rotations about X, Y and Z as whole numbers, 0 to 4095.
using WholeAngles = std::array<Angle, 3>;

/// The rotation that angles make.
/// @param factors a permutation of 0, 1 and 2
[[nodiscard]] glm::dquat rotationOf(const RealAngles& angles, const Factors& factors);

/// The allowed error of a rotation near the pole. If more is allowed, the angles stay nearer to the given ones.
enum class Closeness {
    stored,  ///< 0.02 degrees, a quarter of the error of whole units
    text,    ///< 0.001 degrees: 0.02 mm at the end of a bone of one metre
};

/// The angles of a rotation that are nearest to `near`, each less than half a turn away. Within 5 degrees of the pole
/// the error may be up to `close`.
/// @param rotation must be of unit length
[[nodiscard]] RealAngles nearestAngles(const glm::dquat& rotation, const Factors& factors, const RealAngles& near,
                                       Closeness close = Closeness::stored);

/// Like nearestAngles(), but as multiples of 1 << `keyBits`: the rounded neighbours with the least error. With whole
/// units the error is up to 0.08 degrees.
[[nodiscard]] WholeAngles nearestAngles(const glm::dquat& rotation, const Factors& factors, const WholeAngles& near,
                                        unsigned keyBits = 0);

}  // namespace reanima::core
