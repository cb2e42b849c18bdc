/// Skeletons of games that store no rest pose, as motion of others can be bound to them: in the T-pose that their own
/// motion tells, on the ground.
#pragma once

#include <optional>
#include <vector>

#include "motion/bind.h"
#include "t_pose.h"

namespace reanima::binding {

struct StandingRig {
    core::Skeleton skeleton;                ///< rests in the T-pose, its lowest point at 0, the hips above the origin
    std::vector<motion::IkTarget> carried;  ///< joints in model space, such as weapons, and what carries them
};

/// The joints beside the tree of the hips, such as weapons, that clips move as if a joint of it carried them.
[[nodiscard]] std::vector<motion::IkTarget> carriedJoints(const core::Skeleton& skeleton,
                                                          const std::vector<core::Clip>& clips, std::uint32_t hips);

/// @param body with its clips; its rest pose is a frame of them
/// @return none where it is not known which of its joints are which
[[nodiscard]] std::optional<StandingRig> standingRig(const MovingBody& body);

/// Gives the first joints of a bound motion their own rest again: what rested as the standing rig does gets a constant
/// key.
/// @param own the skeleton that standingRig() was made of
void putRestBack(const core::Skeleton& own, motion::BoundMotion& bound);

}  // namespace reanima::binding
