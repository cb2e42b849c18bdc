/// Which picture of a sequence is visible at which time, for all builders of scenes.
#pragma once

#include <utility>
#include <vector>

#include "image_sequence.h"

namespace reanima::core {

/// A key of a picture's visibility: 0 or 1, starting at this time.
struct VisibilityKey {
    double time = 0;  ///< seconds or ticks
    float visible = 0;
};

/// Keys that show picture `index` of `count` from index * step until the next picture. For readers that interpolate
/// linearly, another key repeats the old value `guard` before each change. A last key at count * step keeps the last
/// picture visible for a full step.
[[nodiscard]] std::vector<VisibilityKey> visibilityKeys(std::uint32_t index, std::uint32_t count, double step,
                                                        double guard);

/// The scale of a hidden picture while nothing is played. It is not 0, since a matrix with a scale of 0 has no inverse:
/// Assimp 5.2.5 would read the rotation as 0, 0, 0.5, 0.
inline constexpr double kHiddenScale = 1e-6;

/// `frame0000`
[[nodiscard]] std::string frameName(std::uint32_t index);

}  // namespace reanima::core
