/// Finds the key of a channel that applies at a time.
#pragma once

#include <cstddef>
#include <vector>

namespace reanima::core {

/// Tolerance in seconds between times of the same key: far below a frame, and above rounding errors. Files store times
/// in single precision, and programs add the start time of a scene.
inline constexpr double kSameTime = 1e-4;

/// The last key at or before a time, within kSameTime. A key with exactly that time takes precedence.
/// @param times at least one time, ascending
/// @return 0 also before the first key
[[nodiscard]] std::size_t keyHeldAt(const std::vector<float>& times, double seconds);

}  // namespace reanima::core
