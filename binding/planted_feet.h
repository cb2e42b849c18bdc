/// Measures how far standing feet slide and sink on a rig.
#pragma once

#include <optional>

#include "binding/bind_plan.h"

namespace reanima::binding {

/// A foot stands while it is low and slow in the source. It is measured at the toes if both skeletons have toes, else
/// at the ankle.
/// @param sourceRoles, targetRoles of linked joints
/// @param clips the same clips on the source
/// @return none if no foot is known or none stands
[[nodiscard]] std::optional<PlantedFeet> plantedFeet(const core::Skeleton& source, const roles::Anatomy& sourceRoles,
                                                     const std::vector<core::Clip>& clips,
                                                     const motion::BoundMotion& bound,
                                                     const roles::Anatomy& targetRoles, double scale);

}  // namespace reanima::binding
