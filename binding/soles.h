/// The joints of feet that touch the ground, and when a foot stands.
#pragma once

#include <vector>

#include "binding/roles/roles.h"

namespace reanima::binding {

/// A joint of a foot of both skeletons: toes where both have some, else the ankle.
struct Sole {
    roles::Side side = roles::Side::middle;
    std::uint32_t source = 0;
    std::uint32_t target = 0;
    double restHeight = 0;  ///< of the target's, over the origin along its legs, in metres
};

/// None where hips and feet of the target are not known.
[[nodiscard]] std::vector<Sole> solesOf(const roles::Anatomy& sourceRoles, const core::Skeleton& target,
                                        const roles::Anatomy& targetRoles);

/// A foot stands while it is lower than this above its lowest place in the clip, and slower.
inline constexpr double kLowSole = 0.05;   // of a leg
inline constexpr double kSlowSole = 0.24;  // legs per second

}  // namespace reanima::binding
