/// Keys at another rate.
#pragma once

#include "clip.h"

namespace reanima::core {

/// Gives every channel that changes a key at every 1 / `rate` seconds, between the old ones along the arc. A clip that
/// loops gets them up to the moment of its first frame's return, so that the step from the last frame to the first is
/// as smooth as the others.
void resample(Clip& clip, double rate);

}  // namespace reanima::core
