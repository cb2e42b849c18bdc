/// Keys at another rate.
#pragma once

#include <span>

#include "clip.h"
#include "limits.h"

namespace reanima::core {

/// Sets keys every 1 / `rate` seconds in each channel that changes. Between old keys, rotations follow the arc. Looping
/// clips also get keys between the last frame and the return to the first frame.
/// @param rate keys per second, above 0
/// @throws DecodeError of the kind `limit`, before any clip is changed, if the keys of all clips need too much memory
void resample(std::span<Clip> clips, double rate, const Limits& limits);

}  // namespace reanima::core
