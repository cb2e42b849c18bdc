/// What feet do that stand on the ground: how far they slide and sink on a rig.
#pragma once

#include <optional>

#include "binding/bind_plan.h"

namespace reanima::binding {

/// A foot stands while it is low and slow in the source: its toes where both have some, else its ankle.
/// @param sourceRoles, targetRoles of linked joints
/// @param clips on the source, as many as `bound` has
/// @return none where no foot is known or none stands
[[nodiscard]] std::optional<PlantedFeet> plantedFeet(const core::Skeleton& source, const roles::Anatomy& sourceRoles,
                                                     const std::vector<core::Clip>& clips,
                                                     const motion::BoundMotion& bound,
                                                     const roles::Anatomy& targetRoles, double scale);

}  // namespace reanima::binding
