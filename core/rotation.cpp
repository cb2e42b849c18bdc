#include "core/rotation.h"

#include <algorithm>

namespace reanima::core {

namespace detail {

constinit const std::array<HalfAngle, kFullTurn> kHalfAngles = [] {
    std::array<HalfAngle, kFullTurn> table{};
    for (int angle = 0; angle < kFullTurn; ++angle) {
        const double quarterTurns = angle / 2048.0;  // of half the angle
        table[static_cast<std::size_t>(angle)] = {static_cast<float>(sineOfQuarterTurns(quarterTurns)),
                                                  static_cast<float>(sineOfQuarterTurns(quarterTurns + 1))};
    }
    return table;
}();

}  // namespace detail

HalfAngle halfOfAngle(double angle) {
    const double quarterTurns = angle / 2048.0;
    return {static_cast<float>(sineOfQuarterTurns(quarterTurns)),
            static_cast<float>(sineOfQuarterTurns(quarterTurns + 1))};
}

SineRotations::SineRotations(std::uint32_t divisor)
    : largest_(static_cast<std::int16_t>(std::min(divisor, std::uint32_t{0x7FFF}))) {
    const auto sineOf = [divisor](int number) { return sineOfQuarterTurns(number / static_cast<double>(divisor)); };
    const auto cosineOf = [divisor](int number) {
        return sineOfQuarterTurns(1 + number / static_cast<double>(divisor));
    };
    for (std::size_t i = 0; i < coarse_.size(); ++i) {
        const int number = (static_cast<int>(i) - kFine / 2) * kFine;
        coarse_[i] = detail::Two{sineOf(number), cosineOf(number)};
    }
    for (std::size_t i = 0; i < fine_.size(); ++i) {
        const int number = static_cast<int>(i) - kFine / 2;
        fine_[i] = detail::Two{cosineOf(number), sineOf(number)};
    }
}

std::array<std::int16_t, 3> SineRotations::nearest(const glm::dquat& rotation) const {
    const std::array<std::int16_t, 3> middle = {nearest(rotation.x), nearest(rotation.y), nearest(rotation.z)};
    constexpr double kFarFromHalfTurn = 0.1;
    if (std::abs(rotation.w) >= kFarFromHalfTurn)
        return middle;
    const SignOfW sign = rotation.w < 0 ? SignOfW::negative : SignOfW::positive;
    const auto cosineOf = [&](const std::array<std::int16_t, 3>& numbers) {
        const glm::dquat is = this->rotation(numbers, sign);
        return glm::dot(is, rotation) / glm::length(is);
    };
    std::array<std::int16_t, 3> best = middle;
    double most = cosineOf(middle);
    for (int neighbour = 0; neighbour < 27; ++neighbour) {
        const std::array<int, 3> steps = {neighbour % 3 - 1, neighbour / 3 % 3 - 1, neighbour / 9 - 1};
        std::array<std::int16_t, 3> numbers{};
        for (std::size_t axis = 0; axis < 3; ++axis)
            numbers[axis] = static_cast<std::int16_t>(std::clamp<int>(middle[axis] + steps[axis], -largest_, largest_));
        if (const double cosine = cosineOf(numbers); cosine > most) {
            most = cosine;
            best = numbers;
        }
    }
    return best;
}

std::int16_t SineRotations::nearest(double wanted) const {
    int below = -largest_;
    int above = largest_;
    while (above - below > 1) {
        const int middle = (below + above) / 2;
        (sine(static_cast<std::int16_t>(middle)) <= wanted ? below : above) = middle;
    }
    const double errorBelow = std::abs(wanted - sine(static_cast<std::int16_t>(below)));
    const double errorAbove = std::abs(wanted - sine(static_cast<std::int16_t>(above)));
    return static_cast<std::int16_t>(errorBelow <= errorAbove ? below : above);
}

}  // namespace reanima::core
