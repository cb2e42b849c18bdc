/// Reduces the trembling of feet that the quantization of a file causes.
#pragma once

#include "core/clip.h"
#include "core/skeleton.h"
#include "roles/roles.h"

namespace reanima::binding {

/// A clip, and the skeleton that it moves.
struct ShownClip {
    const core::Skeleton& skeleton;
    const core::Clip& clip;
};

/// Corrects the legs of a clip between a first and a second encoding. Files store the position of the hips in steps,
/// which makes the feet tremble (in Final Fantasy IX by 4 mm, 30 times per second). If an ankle is at another place in
/// the file than in the clip, the leg is rotated at the hip to correct this. Knees keep their bend, and feet keep their
/// rotation. Upper legs and feet get a key for every frame.
/// @param shown the decoded file, at its rate: it begins with the joints of `wanted` and has as many frames
/// @param roles of the joints of `shown`
/// @param skeleton of `wanted`
void settleFeet(const ShownClip& shown, const roles::Anatomy& roles, const core::Skeleton& skeleton,
                core::Clip& wanted);

}  // namespace reanima::binding
