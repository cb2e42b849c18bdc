/// What the steps of a file's numbers do to feet.
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

/// Turns the legs of a clip that has been written into a file, to be written once more: hips that the file can only
/// place in steps take feet along, which then tremble (of Final Fantasy IX by 4 mm, 30 times per second). Where the
/// file shows an ankle elsewhere than the clip, the whole leg is turned at the hip towards it; knees stay as bent as
/// they are, and feet keep their turn. Upper legs and feet have a key for every frame then.
/// @param shown what the file shows: the same joints first, as many frames, at its rate
/// @param roles of the joints of `shown`
/// @param skeleton of `wanted`
void settleFeet(const ShownClip& shown, const roles::Anatomy& roles, const core::Skeleton& skeleton,
                core::Clip& wanted);

}  // namespace reanima::binding
