/// A reference pose for a source skeleton that has no rest pose of its own.
#pragma once

#include <vector>

#include "bind.h"

namespace reanima::core {

/// A joint that was turned, and how far.
struct MatchedJoint {
    std::uint32_t joint = 0;  ///< of the source
    double degrees = 0;
};

struct MatchedPose {
    Pose pose;                         ///< local, one transform per source joint
    std::vector<MatchedJoint> turned;  ///< linked joints that have a direction
};

/// The source in the target's rest pose: starting from its own rest, and from the root on, every linked joint is turned
/// by the smallest rotation after which its bones point where the target's do. A bone leads to the next linked joint,
/// or to the end where there is none; with several the rotation is the best one for all. The root is put where the
/// target's is, by the scale.
[[nodiscard]] MatchedPose matchRest(const Skeleton& source, const Skeleton& target,
                                    const std::vector<JointLink>& links);

}  // namespace reanima::core
