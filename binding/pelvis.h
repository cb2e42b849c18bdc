/// Corrects hips joints whose rotation differs from that of the pelvis.
#pragma once

#include <vector>

#include "../core/clip.h"
#include "../core/limits.h"
#include "../core/pose.h"
#include "../core/skeleton.h"
#include "roles/roles.h"

namespace reanima::binding {

/// Some rigs have joints between hips and thighs that cancel the rotation of the hips. Then the hips get the rotation
/// of the pelvis, computed from the positions of both thighs and the start of the back. Their children stay in place in
/// model space, with a key for every frame. If the rest pose is not a standing pose, the hips and their children rest
/// as in the first of the poses.
/// @param poses of the skeleton over all clips
/// @return true if the hips were changed
/// @throws core::DecodeError of the kind `limit`
bool turnHipsAsPelvis(core::Skeleton& skeleton, std::vector<core::Clip>& clips, const roles::Anatomy& roles,
                      const std::vector<core::Pose>& poses, const core::Limits& limits);

}  // namespace reanima::binding
