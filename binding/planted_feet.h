/// What feet do that stand on the ground: how far they slide and sink on a rig.
#pragma once

#include <optional>

#include "bind.h"
#include "roles.h"

namespace reanima::binding {

/// While a foot of the source stands, over all clips. Metres and metres per second on the target.
struct PlantedFeet {
    std::size_t frames = 0;  ///< in which a foot stands, each foot counted; of long motions some of them
    double slide = 0;        ///< mean speed
    double sourceSlide = 0;  ///< the source's, by the scale of the binding
    double sink = 0;         ///< how far below its height at rest a foot comes at most
};

/// A foot stands while it is low and slow in the source: its toes where both have some, else its ankle.
/// @param sourceRoles, targetRoles of linked joints
/// @param clips on the source, as many as `bound` has
/// @return none where no foot is known or none stands
[[nodiscard]] std::optional<PlantedFeet> plantedFeet(const core::Skeleton& source, const Anatomy& sourceRoles,
                                                     const std::vector<core::Clip>& clips,
                                                     const core::BoundMotion& bound, const Anatomy& targetRoles,
                                                     double scale);

}  // namespace reanima::binding
