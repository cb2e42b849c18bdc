/// Keys at another rate.
#pragma once

#include <span>

#include "clip.h"
#include "limits.h"

namespace reanima::core {

/// Gives every channel that changes a key at every 1 / `rate` seconds, between the old ones along the arc. A clip that
/// loops gets them up to the moment of its first frame's return, so that the step from the last frame to the first is
/// as smooth as the others.
/// @param rate keys per second, above 0
/// @throws DecodeError of the kind `limit`, before any clip is changed, if the keys of all take too much memory
void resample(std::span<Clip> clips, double rate, const Limits& limits);

}  // namespace reanima::core
