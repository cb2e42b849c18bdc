/// Finds the key of a channel that applies at a time.
#pragma once

#include <cstddef>
#include <vector>

namespace reanima::core {

/// Tolerance in seconds between times of the same key: far less than a frame, and more than rounding errors. Files
/// store times in single precision, and programs add frames to the time at which a scene begins.
inline constexpr double kSameTime = 1e-4;

/// The last key at or before a time, within kSameTime. A time that is exactly that of a key means this key.
/// @param times ascending, at least one
/// @return 0 also before the first key
[[nodiscard]] std::size_t keyHeldAt(const std::vector<float>& times, double seconds);

}  // namespace reanima::core
