/// Hips that are turned otherwise than the pelvis that they carry.
#pragma once

#include <vector>

#include "../core/clip.h"
#include "../core/limits.h"
#include "../core/pose.h"
#include "../core/skeleton.h"
#include "roles/roles.h"

namespace reanima::binding {

/// Where thighs and back turn against the hips, as joints between them do that turn back what these turn, the hips get
/// the turn of the pelvis, by where both thighs and the beginning of the back are. What hangs on them stays where it is
/// in model space, in a key for every frame; the skeleton then rests as it does in its rest pose, or, if nobody stands
/// in that, as in the first of the poses.
/// @param poses of the skeleton over all clips
/// @return true if hips were turned
/// @throws core::DecodeError of the kind `limit`
bool turnHipsAsPelvis(core::Skeleton& skeleton, std::vector<core::Clip>& clips, const roles::Anatomy& roles,
                      const std::vector<core::Pose>& poses, const core::Limits& limits);

}  // namespace reanima::binding
