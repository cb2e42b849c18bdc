/// Converts decimal numbers, as people write them, to the exact fractions that are meant.
#pragma once

#include <cstdint>

namespace reanima::core {

struct Fraction {
    std::uint32_t numerator = 0;
    std::uint32_t denominator = 1;
};

/// The fraction with the smallest denominator that equals `value` as a double: 2997/100 for 29.97, and 1000/3 for
/// 1000/3.0. If that does not fit in 32 bits: the last convergent that fits, with an error below `value` / 2^32.
/// @param value from 2^-31 to 2^31
[[nodiscard]] Fraction fractionOf(double value);

}  // namespace reanima::core
