/// Clips on the humanoid that their skeleton is: what formats for any avatar hold.
#pragma once

#include "binding/t_pose.h"
#include "core/asset.h"
#include "core/diagnostics.h"
#include "core/limits.h"
#include "core/root_motion.h"

namespace reanima {

/// Leaves of an asset its humanoid and clips on that: rotations of its joints against the T-pose, and the hips' places.
/// Every joint has its role. Meshes are left out; a note names what moves besides.
/// @param body the asset's; its clips are not looked at
/// @return who takes root motion
/// @throws core::DecodeError of the kind `noHumanoid` that names what is missing; of the kind `limit`
core::RootJoints putOnHumanoid(core::Asset& asset, const binding::MovingBody& body, const core::Limits& limits,
                               core::Diagnostics& diagnostics);

}  // namespace reanima
