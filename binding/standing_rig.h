/// Makes rigs from game skeletons without a rest pose, so that other motion can be bound to them. The rigs stand on the
/// ground, in a T-pose derived from the skeletons' own motion.
#pragma once

#include <optional>
#include <vector>

#include "motion/bind.h"
#include "t_pose.h"

namespace reanima::binding {

struct StandingRig {
    core::Skeleton skeleton;                ///< rests in the T-pose, its lowest point at 0, the hips above the origin
    std::vector<motion::IkTarget> carried;  ///< joints in model space, such as weapons, and their carriers
};

/// Joints outside the tree of the hips, such as weapons, that move with one of its joints in the clips.
[[nodiscard]] std::vector<motion::IkTarget> carriedJoints(const core::Skeleton& skeleton,
                                                          const std::vector<core::Clip>& clips, std::uint32_t hips);

/// @param body with its clips; its rest pose is a frame of these clips
/// @return none if the roles of its joints are unknown
[[nodiscard]] std::optional<StandingRig> standingRig(const MovingBody& body);

/// Restores the original rest pose of a bound motion's first joints. If that changes a property without a channel, a
/// constant key keeps the value of the standing rig.
/// @param own the skeleton passed to standingRig()
void putRestBack(const core::Skeleton& own, motion::BoundMotion& bound);

}  // namespace reanima::binding
