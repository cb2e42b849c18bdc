/// A body in the T-pose of VRM: upright, facing +Z, arms level along X with the palms down, feet ahead.
///
/// Formats for any humanoid state motion against it. A source is turned to it as it is to the rest pose of any rig.
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

/// A skeleton, what its joints are for, and how it moves.
struct MovingBody {
    const core::Skeleton& skeleton;
    const std::vector<core::Clip>& clips;  ///< on it; none of a rig
    const roles::Anatomy& roles;
    const std::vector<core::Pose>& poses;  ///< over all clips
    const core::BodySurface& surface;
    bool hasOwnRest = true;  ///< it stands in its rest pose, which is no frame of a clip
};

/// How such a body is bound to another one whose joints are known.
[[nodiscard]] BindSettings settingsFor(const MovingBody& body, const roles::Anatomy& target);

/// The body in its T-pose: one transform per joint, of which the rotations count. None where it is not known which of
/// its joints are which.
[[nodiscard]] std::optional<core::Pose> tPoseOf(const MovingBody& body);

/// The joints that VRM knows, in the T-pose and with a body's proportions: rest rotations are the identity, the soles
/// stand at 0, and the hips above the origin.
struct Humanoid {
    core::Skeleton skeleton;  ///< Joint::role is what VRM calls each: `leftUpperArm`
    roles::Anatomy roles;     ///< of its joints
    std::vector<bool>
        isKnown;  ///< per joint: the body has it. Fingers and toes that it lacks tell how hands and feet lie
    std::vector<std::string> missing;  ///< what VRM requires and the body lacks
};

/// @param tPose of the body, see tPoseOf()
[[nodiscard]] Humanoid humanoidOf(const MovingBody& body, const core::Pose& tPose);

}  // namespace reanima::binding
