/// Bodies that a scale of -1 mirrors through the origin: modders fit a body that was made with Y up to a game whose
/// axes are the opposite in that way.
#pragma once

#include <cstdint>
#include <vector>

#include "core/clip.h"
#include "core/skeleton.h"

namespace reanima {

/// The joints whose scale at rest is negative along all three axes, none of which is below another one.
[[nodiscard]] std::vector<std::uint32_t> mirroredJoints(const core::Skeleton& skeleton);

/// Gives these joints the opposite scale, and all joints below them the opposite places, at rest and in clips: then all
/// joints are where they were, and turned as they were. Done twice, nothing is changed. Vertices are not looked at.
void turnInsideOut(const std::vector<std::uint32_t>& joints, core::Skeleton& skeleton, std::vector<core::Clip>& clips);

}  // namespace reanima
