/// The poses of a scene by glTF's rules and joint names only, for comparison with written files.
#pragma once

#include "core/clip.h"
#include "core/scene_motion.h"
#include "core/skeleton.h"

namespace reanima::fuzz {

/// True if a clip shows the poses of an animation at all frames with a key, within the precision of files. Between
/// unchanged keys, the original's frames may remain. Times start at the animation's first key or at 0. Poses are
/// relative to the skeleton's parent, or in the scene.
/// @param moving the scene, whose nodes are the skeleton's joints with the game's axes
[[nodiscard]] bool showsThat(const core::Skeleton& skeleton, const core::Clip& clip, const core::MovingScene& moving,
                             const core::SceneMotion& motion);

}  // namespace reanima::fuzz
