#include "core/rotation.h"

namespace reanima::core {

namespace detail {

constinit const std::array<HalfAngle, kFullTurn> kHalfAngles = [] {
    std::array<HalfAngle, kFullTurn> table{};
    for (int angle = 0; angle < kFullTurn; ++angle) {
        const double quarterTurns = angle / 2048.0;  // of half the angle
        table[static_cast<std::size_t>(angle)] = {static_cast<float>(sineOfQuarterTurns(quarterTurns)),
                                                  static_cast<float>(sineOfQuarterTurns(quarterTurns + 1))};
    }
    return table;
}();

}  // namespace detail

HalfAngle halfOfAngle(double angle) {
    const double quarterTurns = angle / 2048.0;
    return {static_cast<float>(sineOfQuarterTurns(quarterTurns)),
            static_cast<float>(sineOfQuarterTurns(quarterTurns + 1))};
}

}  // namespace reanima::core
