/// Keys at another rate.
#pragma once

#include <span>

#include "clip.h"
#include "limits.h"

namespace reanima::core {

/// Gives every channel that changes a key at every 1 / `rate` seconds, between the old ones along the arc. Looping
/// clips get keys up to the return of the first frame, so that the step from the last frame to the first is as smooth
/// as the others.
/// @param rate keys per second, above 0
/// @throws DecodeError of the kind `limit`, before any clip is changed, if the keys of all take too much memory
void resample(std::span<Clip> clips, double rate, const Limits& limits);

}  // namespace reanima::core
