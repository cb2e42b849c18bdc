/// Clips of a scene that show the original's motion at another time: a program changed the frame rate, or where a clip
/// begins.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "clip_comparison.h"

namespace reanima::core {

/// How a clip of a scene follows the original.
struct Retiming {
    double speed = 1;  ///< seconds of the original that are shown in a second of the scene
    double delay = 0;  ///< seconds of the scene by which it begins later; negative: without what is before

    bool operator==(const Retiming&) const = default;
};

/// The speed and the delay at which more than half of the joints that move are as in the original at all keys: a ratio
/// of both durations or of usual frame rates, and up to three frames.
/// @param moving the joints that move; most of them are not as they were without a retiming
/// @return nothing if it is other motion
[[nodiscard]] std::optional<Retiming> retimingOf(const ClipComparison& comparison,
                                                 std::span<const std::uint32_t> moving);

}  // namespace reanima::core
