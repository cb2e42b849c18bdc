/// Facts about a clip at a glance.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "../binding/roles/roles.h"
#include "../core/asset.h"
#include "../core/pose.h"

namespace reanima::measures {

struct ClipFacts {
    core::Comparison gap;     ///< between its end and its start: the jump of a loop
    double travel = 0;        ///< metres that the first joint moves from start to end
    double heightChange = 0;  ///< metres between the first joint's highest and lowest place
    /// Apart from the displacement over the ground, no joint ends farther from its start than the largest movement
    /// between two frames, or than a hundredth of the height.
    bool isClosed = false;
    double motion = 0;  ///< mean rotation of joints relative to their parents, in degrees per second
    /// The same for parts of the body, the most animated first: `right arm`; empty if roles are unknown.
    std::vector<std::pair<std::string, double>> parts;
};

/// @param anatomy known roles of the joints
[[nodiscard]] ClipFacts factsOf(const core::Skeleton& skeleton, const core::Clip& clip, const roles::Anatomy& anatomy);

/// The parts that move at least half as much as the most animated one: `right arm, head`; empty if nothing moves.
[[nodiscard]] std::string liveliestOf(const ClipFacts& facts);

}  // namespace reanima::measures
