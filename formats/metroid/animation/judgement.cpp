#include "formats/metroid/animation/judgement.h"

#include <cmath>

#include <fmt/format.h>

#include "formats/metroid/animation/animation.h"

namespace reanima::metroid {

using core::Code;
using core::DecodeError;

void expectOne(Judgement& judgement, const Field<std::uint32_t>& field, std::uint32_t expected) {
    judgement.expect(field.value == expected, Code::rareLayout, field.place,
                     fmt::format("is 0x{:x}, expected 0x{:x}", field.value, expected));
}

void checkTimes(const Field<float>& duration, const Field<float>& interval, std::uint32_t frames,
                Judgement& judgement) {
    if (!std::isfinite(duration.value) || (frames > 1 && duration.value <= 0))
        throw DecodeError(duration.place, fmt::format("is {}, expected a number of seconds", duration.value));
    if (frames <= 1)
        return;
    if (!isInterval(interval.value))
        throw DecodeError(interval.place, fmt::format("is {}, expected a number of seconds", interval.value));
    const double length = lengthOf(frames, interval.value);
    constexpr double kRounding = 1.001;
    judgement.expect(
        std::abs(static_cast<double>(duration.value) - length) <= static_cast<double>(interval.value) * kRounding,
        Code::countMismatch, duration.place,
        fmt::format(
            "is {}, but {} frames at the stated interval last {:.6g} seconds; the duration of the frames is used",
            duration.value, frames, length));
}

}  // namespace reanima::metroid
