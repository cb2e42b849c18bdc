#include "core/fraction.h"

#include <cmath>
#include <limits>

namespace reanima::core {

Fraction fractionOf(double value) {
    // Convergents of the continued fraction. Doubles represent them exactly while they fit in 32 bits.
    constexpr double kMost = std::numeric_limits<std::uint32_t>::max();
    double beforeNumerator = 0;
    double beforeDenominator = 1;
    double numerator = 1;
    double denominator = 0;
    for (double rest = value;;) {
        const double whole = std::floor(rest);
        const double nextNumerator = whole * numerator + beforeNumerator;
        const double nextDenominator = whole * denominator + beforeDenominator;
        if (!(nextNumerator <= kMost && nextDenominator <= kMost))
            break;
        beforeNumerator = numerator;
        beforeDenominator = denominator;
        numerator = nextNumerator;
        denominator = nextDenominator;
        if (numerator / denominator == value)
            break;
        rest = 1 / (rest - whole);
    }
    return {static_cast<std::uint32_t>(numerator), static_cast<std::uint32_t>(denominator)};
}

}  // namespace reanima::core
