/// Angles between the bones of two bound skeletons.
#pragma once

#include <optional>
#include <vector>

#include "linked_skeletons.h"

namespace reanima::motion {

using namespace core;

/// Per link the angle in degrees between the bone of the source and that of the target, in model space and whatever the
/// axes of their joints. A bone points to the next joint below that is linked on both sides (the mean angle if there
/// are several), or else to its known end; joints without either have no direction.
[[nodiscard]] std::vector<std::optional<double>> degreesBetweenBones(const Skeleton& source, const Globals& from,
                                                                     const Skeleton& target, const Globals& to,
                                                                     const std::vector<JointLink>& links);

}  // namespace reanima::motion
