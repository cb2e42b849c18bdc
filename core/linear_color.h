/// Converts colour bytes to linear light with arithmetic that gives the same bits on every machine.
#pragma once

#include <array>
#include <cstdint>

namespace reanima::core {

/// The number whose fifth power is `x`, from 0 to 1.
constexpr double fifthRoot(double x) {
    constexpr int kSteps = 60;  // steps of Newton's method: far more than doubles need
    if (x <= 0)
        return 0;
    double y = 1;
    for (int i = 0; i < kSteps; ++i)
        y -= (y - x / (y * y * y * y)) / 5;
    return y;
}

namespace detail {

constexpr std::array<float, 256> linearTable() {
    std::array<float, 256> table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        const double value = static_cast<double>(i) / 255;
        const double base = (value + 0.055) / 1.055;
        const double root = fifthRoot(base);
        table[i] = static_cast<float>(value <= 0.04045 ? value / 12.92 : base * base * root * root);
    }
    return table;
}
inline constexpr std::array<float, 256> kLinear = linearTable();

}  // namespace detail

/// The linear light, 0 to 1, of a byte of an sRGB colour (IEC 61966-2-1).
[[nodiscard]] constexpr float linearFromSrgb(std::uint8_t value) { return detail::kLinear[value]; }

}  // namespace reanima::core
