/// Bone axes that other programs turned.
#pragma once

#include <vector>

#include "core/asset.h"
#include "tools/reanima/verbs/folder_comparison.h"

namespace reanima::tool {

/// Turns the axes of joints back. Blender's import turns them in quarter turns, so that bones point at their children.
/// Clips with equal names show by how much: relative to a joint, the positions of its children turn with its axes, but
/// not with its motion.
void turnAxesBack(const core::Asset& was, core::Asset& now, const std::vector<SharedJoints::Pair>& pairs);

}  // namespace reanima::tool
