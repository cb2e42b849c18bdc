/// What a person wants to know of a clip at a glance.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "../binding/roles/roles.h"
#include "../core/asset.h"
#include "../core/pose.h"

namespace reanima::measures {

struct ClipFacts {
    core::Comparison gap;     ///< between its end and its start: what a loop would jump
    double travel = 0;        ///< metres that the first joint moves from start to end
    double heightChange = 0;  ///< metres between the first joint's highest and lowest place
    /// Apart from the displacement over the ground, no joint is farther from its start at the end than the fastest one
    /// moves from a frame to the next, or than a hundredth of the height.
    bool isClosed = false;
    double motion = 0;  ///< degrees per second by which a joint turns beside its parent, on average
    /// The same of parts of the body, the liveliest first: `right arm`; none where joints have no known roles.
    std::vector<std::pair<std::string, double>> parts;
};

/// @param anatomy what the joints are for, as far as it is known
[[nodiscard]] ClipFacts factsOf(const core::Skeleton& skeleton, const core::Clip& clip, const roles::Anatomy& anatomy);

/// The parts that move at least half as much as the liveliest one: `right arm, head`; empty if nothing moves.
[[nodiscard]] std::string liveliestOf(const ClipFacts& facts);

}  // namespace reanima::measures
