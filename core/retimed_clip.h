/// Clips of a scene that are the original's motion with another frame rate or start.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "clip_comparison.h"

namespace reanima::core {

/// How a clip of a scene follows the original.
struct Retiming {
    double speed = 1;  ///< seconds of the original per second of the scene
    double delay = 0;  ///< seconds of the scene before the original's start; negative: the start is cut off

    bool operator==(const Retiming&) const = default;
};

/// Finds the speed and delay with which more than half of the moving joints equal the original at all keys. Speeds are
/// ratios of durations or of usual frame rates. Delays are up to three frames.
/// @param moving the joints that move. Most of them must differ from the original at its own speed and start
/// @return empty if it is a different motion
[[nodiscard]] std::optional<Retiming> retimingOf(const ClipComparison& comparison,
                                                 std::span<const std::uint32_t> moving);

}  // namespace reanima::core
