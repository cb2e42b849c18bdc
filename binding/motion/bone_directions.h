/// How far the bones of two skeletons that are bound point apart.
#pragma once

#include <optional>
#include <vector>

#include "linked_skeletons.h"

namespace reanima::motion {

using namespace core;

/// Per link the angle in degrees between the bone of the source and that of the target, in model space and whatever
/// the axes of their joints. A bone leads to the next linked joint below on both sides, of several it is the mean
/// angle, or to its known end where there is none; joints without either have no direction.
[[nodiscard]] std::vector<std::optional<double>> degreesBetweenBones(const Skeleton& source, const Globals& from,
                                                                     const Skeleton& target, const Globals& to,
                                                                     const std::vector<JointLink>& links);

}  // namespace reanima::motion
