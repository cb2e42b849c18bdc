/// A body in the T-pose of VRM: upright, facing +Z, arms level along X with the palms down, feet pointing ahead.
///
/// Formats for arbitrary humanoids store motion relative to this pose. It is matched like the rest pose of any rig.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "../core/body_surface.h"
#include "../core/clip.h"
#include "../core/pose.h"
#include "../core/skeleton.h"
#include "roles/roles.h"

namespace reanima {

struct BindSettings;

}  // namespace reanima

namespace reanima::binding {

/// A skeleton, the roles of its joints, and its motion.
struct MovingBody {
    const core::Skeleton& skeleton;
    const std::vector<core::Clip>& clips;  ///< on the skeleton; none for a rig
    const roles::Anatomy& roles;
    const std::vector<core::Pose>& poses;  ///< over all clips
    const core::BodySurface& surface;
    bool hasOwnRest = true;  ///< its rest pose is a standing pose, not a frame of a clip
};

/// Settings for binding a moving body to a body with known roles.
[[nodiscard]] BindSettings settingsFor(const MovingBody& body, const roles::Anatomy& target);

/// The body in its T-pose: one transform per joint, of which only the rotations matter. None if the roles of its joints
/// are unknown.
[[nodiscard]] std::optional<core::Pose> tPoseOf(const MovingBody& body);

/// VRM's joints in the T-pose with a body's proportions: rest rotations are the identity, the soles are at 0, and the
/// hips above the origin.
struct Humanoid {
    core::Skeleton skeleton;           ///< Joint::role is VRM's name: `leftUpperArm`
    roles::Anatomy roles;              ///< of its joints
    std::vector<bool> isKnown;         ///< per joint: the body has it. Missing fingers and toes are added to show the
                                       ///< orientation of hands and feet
    std::vector<std::string> missing;  ///< joints that VRM requires and the body lacks
};

/// @param tPose of the body, see tPoseOf()
[[nodiscard]] Humanoid humanoidOf(const MovingBody& body, const core::Pose& tPose);

}  // namespace reanima::binding
