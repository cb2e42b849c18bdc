/// Converts clips to a standard humanoid, for formats that fit any avatar.
#pragma once

#include "binding/t_pose.h"
#include "core/asset.h"
#include "core/diagnostics.h"
#include "core/limits.h"
#include "core/root_motion.h"

namespace reanima {

/// Reduces an asset to its humanoid and clips on it: rotations of its joints relative to the T-pose, and positions of
/// the hips. Every joint has its role. Meshes are left out; a note names other moving joints.
/// @param body the asset's; its clips are ignored
/// @return the joints that take root motion
/// @throws core::DecodeError of the kind `noHumanoid` that names what is missing; of the kind `limit`
core::RootJoints putOnHumanoid(core::Asset& asset, const binding::MovingBody& body, const core::Limits& limits,
                               core::Diagnostics& diagnostics);

}  // namespace reanima
