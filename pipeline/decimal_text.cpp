#include "pipeline/decimal_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

namespace reanima {

void addDecimal(double value, Zeros zeros, std::string& text) {
    constexpr double kDigits = 1e6;
    constexpr double kLargest = 9e12;  // what fits a whole number of 64 bits with the digits
    const auto scaled = static_cast<std::int64_t>(std::llround(std::clamp(value, -kLargest, kLargest) * kDigits));
    std::uint64_t rest = static_cast<std::uint64_t>(scaled < 0 ? -scaled : scaled);
    char digits[24];  // NOLINT(modernize-avoid-c-arrays)
    char* const end = std::end(digits);
    char* begin = end;
    for (int place = 0; place < 7 || rest > 0; ++place) {
        const bool isWritten = zeros == Zeros::kept || place >= 6 || rest % 10 != 0 || begin != end;
        if (place == 6 && begin != end)
            *--begin = '.';
        if (isWritten)
            *--begin = static_cast<char>('0' + rest % 10);
        rest /= 10;
    }
    if (scaled < 0)
        *--begin = '-';
    text.append(begin, end);
}

}  // namespace reanima
