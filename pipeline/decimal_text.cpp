#include "pipeline/decimal_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

namespace reanima {

void addDecimal(double value, Zeros zeros, std::string& text) {
    constexpr double kDigits = 1e6;
    constexpr double kLargest = 9e12;  // with six digits after the point, the number must fit in 64 bits
    const auto scaled = static_cast<std::int64_t>(std::llround(std::clamp(value, -kLargest, kLargest) * kDigits));
    std::uint64_t rest = static_cast<std::uint64_t>(scaled < 0 ? -scaled : scaled);
    char digits[24];  // NOLINT(modernize-avoid-c-arrays)
    char* end = std::end(digits);
    char* begin = end;
    const auto addDigit = [&] {
        *--begin = static_cast<char>('0' + rest % 10);
        rest /= 10;
    };
    for (int place = 0; place < 6; ++place)
        addDigit();
    *--begin = '.';
    do
        addDigit();
    while (rest > 0);
    if (scaled < 0)
        *--begin = '-';
    if (zeros == Zeros::cut) {
        while (end[-1] == '0')
            --end;
        if (end[-1] == '.')
            --end;
    }
    text.append(begin, end);
}

}  // namespace reanima
