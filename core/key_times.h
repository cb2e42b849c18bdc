/// Which key of a channel counts at a time.
#pragma once

#include <cstddef>
#include <vector>

namespace reanima::core {

/// Seconds by which times of one key may differ: far less than a frame, and more than rounding leaves. Files store
/// times in single precision, and programs add frames to the time at which a scene begins.
inline constexpr double kSameTime = 1e-4;

/// The last key at a time or before it; of keys that only rounding puts after it, the last. A time that is exactly that
/// of a key means this key.
/// @param times ascending, at least one
/// @return 0 also before the first key
[[nodiscard]] std::size_t keyHeldAt(const std::vector<float>& times, double seconds);

}  // namespace reanima::core
