/// What a scene shows, by glTF's rules and the names of joints alone: what was written of it is compared with that.
#pragma once

#include "core/clip.h"
#include "core/scene_motion.h"
#include "core/skeleton.h"

namespace reanima::fuzz {

/// True if a clip shows the poses of an animation, within what files store, at all frames at which it has a key: what
/// lies between keys is the original's where no key differs. From the animation's first key or from 0 on, against what
/// the skeleton hangs on there, or where the scene has it.
/// @param moving its nodes are the skeleton's joints with the axes that the game gives them
[[nodiscard]] bool showsThat(const core::Skeleton& skeleton, const core::Clip& clip, const core::MovingScene& moving,
                             const core::SceneMotion& motion);

}  // namespace reanima::fuzz
