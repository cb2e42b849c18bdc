/// Converts clips to a standard humanoid, for formats whose files fit every avatar.
#pragma once

#include "binding/t_pose.h"
#include "core/asset.h"
#include "core/diagnostics.h"
#include "core/limits.h"
#include "core/root_motion.h"

namespace reanima {

/// Reduces an asset to its humanoid and its clips. The clips contain rotations of joints relative to the T-pose, and
/// positions of the hips. All remaining joints have roles. Meshes are left out. A note names other moving joints.
/// @param body the asset's body; its clips are ignored
/// @return the joints for root motion
/// @throws core::DecodeError of the kind `noHumanoid` that names the missing joints, or of the kind `limit`
core::RootJoints putOnHumanoid(core::Asset& asset, const binding::MovingBody& body, const core::Limits& limits,
                               core::Diagnostics& diagnostics);

}  // namespace reanima
