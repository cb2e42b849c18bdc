/// The joints of feet that touch the ground, and when a foot stands.
#pragma once

#include <vector>

#include "binding/roles/roles.h"

namespace reanima::binding {

/// A foot joint of both skeletons: the toes if both have toes, else the ankle.
struct Sole {
    roles::Side side = roles::Side::middle;
    std::uint32_t source = 0;
    std::uint32_t target = 0;
    double restHeight = 0;  ///< of the target's joint above the origin, in the direction of its legs, in metres
};

/// Empty if the target's hips and feet are unknown.
[[nodiscard]] std::vector<Sole> solesOf(const roles::Anatomy& sourceRoles, const core::Skeleton& target,
                                        const roles::Anatomy& targetRoles);

/// A foot stands while it is less than kLowSole above its lowest place in the clip, and slower than kSlowSole.
inline constexpr double kLowSole = 0.05;   // of a leg
inline constexpr double kSlowSole = 0.24;  // legs per second

}  // namespace reanima::binding
