/// Facts about a clip for a quick overview.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "../binding/roles/roles.h"
#include "../core/asset.h"
#include "../core/pose.h"

namespace reanima::measures {

struct ClipFacts {
    core::Comparison gap;     ///< difference between the clip's end and its start: the jump of a loop
    double travel = 0;        ///< metres over the ground between the first joint's positions at start and end
    double heightChange = 0;  ///< metres between the first joint's highest and lowest position
    /// True if all joints end near their start, apart from the displacement over the ground. "Near" means closer than
    /// the largest movement between two frames, or than a hundredth of the height.
    bool isClosed = false;
    double motion = 0;  ///< mean rotation of joints relative to their parents, in degrees per second
    /// The mean rotation of each part of the body, the most animated first: `right arm`. Empty if roles are unknown.
    std::vector<std::pair<std::string, double>> parts;
};

/// @param anatomy the known roles of joints
[[nodiscard]] ClipFacts factsOf(const core::Skeleton& skeleton, const core::Clip& clip, const roles::Anatomy& anatomy);

/// The parts that move at least half as much as the most animated one: `right arm, head`. Empty if nothing moves.
[[nodiscard]] std::string liveliestOf(const ClipFacts& facts);

}  // namespace reanima::measures
