/// Numbers that people write as decimals, as the exact fractions they mean.
#pragma once

#include <cstdint>

namespace reanima::core {

struct Fraction {
    std::uint32_t numerator = 0;
    std::uint32_t denominator = 1;
};

/// The fraction with the smallest denominator that a double can't tell from `value`: 29.97 gives 2997/100, and 1000/3.0
/// gives 1000/3. If none fits in 32 bits, the last convergent that does, which is off by less than `value` / 2^32.
/// @param value from 2^-31 to 2^31
[[nodiscard]] Fraction fractionOf(double value);

}  // namespace reanima::core
