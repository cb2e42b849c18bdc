/// Bodies that a scale of -1 mirrors through the origin: modders use it to fit a body made with Y up to a game with
/// inverted axes.
#pragma once

#include <cstdint>
#include <vector>

#include "core/clip.h"
#include "core/skeleton.h"

namespace reanima {

/// The joints whose scale at rest is negative along all three axes, without those below another one.
[[nodiscard]] std::vector<std::uint32_t> mirroredJoints(const core::Skeleton& skeleton);

/// Gives these joints the opposite scale, and all joints below them opposite translations, at rest and in clips:
/// positions and rotations of all joints stay the same in model space. Applying it twice changes nothing. Vertices are
/// ignored.
void turnInsideOut(const std::vector<std::uint32_t>& joints, core::Skeleton& skeleton, std::vector<core::Clip>& clips);

}  // namespace reanima
