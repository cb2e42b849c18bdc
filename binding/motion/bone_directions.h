/// Angles between the bones of two bound skeletons.
#pragma once

#include <optional>
#include <vector>

#include "linked_skeletons.h"

namespace reanima::motion {

using namespace core;

/// For each link, the angle in degrees between the source's bone and the target's in model space, whatever the axes of
/// their joints. A bone points to the next joint below that is linked on both sides (with several, the mean angle is
/// used), else to its known end. A joint with neither has no direction.
[[nodiscard]] std::vector<std::optional<double>> degreesBetweenBones(const Skeleton& source, const Globals& from,
                                                                     const Skeleton& target, const Globals& to,
                                                                     const std::vector<JointLink>& links);

}  // namespace reanima::motion
