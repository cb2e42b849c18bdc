/// Bodies that a scale of -1 mirrors through the origin. Modders make bodies with Y up, and use this scale because the
/// game's axes are inverted.
#pragma once

#include <cstdint>
#include <vector>

#include "core/clip.h"
#include "core/skeleton.h"

namespace reanima {

/// The topmost joints whose rest scale is negative along all three axes.
[[nodiscard]] std::vector<std::uint32_t> mirroredJoints(const core::Skeleton& skeleton);

/// Negates the scales of these joints and the translations of all joints below them, at rest and in clips. Positions
/// and rotations of all joints stay unchanged in model space. A second call reverts the first. Vertices are ignored.
void turnInsideOut(const std::vector<std::uint32_t>& joints, core::Skeleton& skeleton, std::vector<core::Clip>& clips);

}  // namespace reanima
