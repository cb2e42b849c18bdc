#include "core/key_times.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace reanima::core {

std::size_t keyHeldAt(const std::vector<float>& times, double seconds) {
    const auto keysUntil = [&times](double time) {
        return static_cast<std::size_t>(
            std::distance(times.begin(), std::upper_bound(times.begin(), times.end(), time)));
    };
    const std::size_t until = keysUntil(seconds);
    if (until > 0 && static_cast<double>(times[until - 1]) == seconds)
        return until - 1;
    constexpr double kRoundings = 4;  // rounding errors in the time, its operands and the key
    const double rounding = kRoundings * std::abs(seconds) * std::numeric_limits<float>::epsilon();
    const std::size_t about = keysUntil(seconds + std::max(kSameTime, rounding));
    return about == 0 ? 0 : about - 1;
}

}  // namespace reanima::core
