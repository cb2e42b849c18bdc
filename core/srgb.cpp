#include "core/srgb.h"

#include <array>
#include <cstddef>

namespace reanima::core {

namespace {

/// By Newton's method: pow() of a libm may differ from that of another one.
constexpr double fifthRoot(double x) {
    double root = 1;
    for (int i = 0; i < 40; ++i)
        root -= (root - x / (root * root * root * root)) / 5;
    return root;
}

constexpr float linear(double value) {
    if (value <= 0.04045)
        return static_cast<float>(value / 12.92);
    const double base = (value + 0.055) / 1.055;
    const double square = base * base;
    return static_cast<float>(square * fifthRoot(square));  // base to the power of 2.4
}

constexpr std::array<float, 256> kLinear = [] {
    std::array<float, 256> values{};
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = linear(static_cast<double>(i) / 255);
    return values;
}();

}  // namespace

float linearFromSrgb(std::uint8_t value) { return kLinear[value]; }

}  // namespace reanima::core
