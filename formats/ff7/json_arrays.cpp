#include "formats/ff7/json_arrays.h"

#include <charconv>
#include <cmath>

namespace reanima::ff7 {

double shortest(float value) {
    if (value == std::trunc(value))
        return static_cast<double>(value);
    std::array<char, 32> text{};
    const char* end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    double decimal = 0;
    std::from_chars(text.data(), end, decimal);
    // Rounding twice may end elsewhere.
    return static_cast<float>(decimal) == value ? decimal : static_cast<double>(value);
}

}  // namespace reanima::ff7
