/// Which of a sequence's pictures is visible when: shared by the builders of scenes.
#pragma once

#include <utility>
#include <vector>

#include "image_sequence.h"

namespace reanima::core {

/// A key of a picture's visibility: 0 or 1 from this time on.
struct VisibilityKey {
    double time = 0;  ///< seconds or ticks
    float visible = 0;
};

/// Keys that show picture `index` of `count` from index * step until the next one appears. A key `guard` before each
/// change repeats the value before it: so that readers that interpolate linearly are also right, except during that
/// moment. A last key at count * step keeps the last picture on screen for its time.
[[nodiscard]] std::vector<VisibilityKey> visibilityKeys(std::uint32_t index, std::uint32_t count, double step,
                                                        double guard);

/// The scale of a hidden picture while nothing is played. Not 0: such a matrix has no inverse, and Assimp takes the
/// rotation out of a node's matrix, which then has none (5.2.5 gives 0, 0, 0.5, 0).
inline constexpr double kHiddenScale = 1e-6;

/// `frame0000`
[[nodiscard]] std::string frameName(std::uint32_t index);

}  // namespace reanima::core
