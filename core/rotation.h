/// Angles and sines to unit quaternions: the one place where a game's integers become rotations.
///
/// No function here uses libm's transcendental functions, and the library is compiled without contraction of floating
/// point expressions, so that the same file gives the same bits on every machine.
#pragma once

#include <array>
#include <cstdint>

#include <glm/gtc/quaternion.hpp>

namespace reanima::core {

/// sin(quarterTurns * pi / 2), within 1 ulp or so of double. |quarterTurns| must be below 2^31.
[[nodiscard]] constexpr double sineOfQuarterTurns(double quarterTurns) {
    // Reduced to the nearest whole quarter turn: exact, whatever the size of the angle.
    const auto nearest = static_cast<std::int64_t>(quarterTurns + (quarterTurns < 0 ? -0.5 : 0.5));
    const double x = (quarterTurns - static_cast<double>(nearest)) * 1.57079632679489661923;
    const double square = x * x;
    // Taylor series about 0 for |x| <= pi/4: the first omitted term is below 1e-19.
    double sum = 0;
    if (nearest % 2 == 0) {
        for (int n = 17; n > 1; n -= 2)
            sum = (1 + sum) * -square / (n * (n - 1));
        sum = x + x * sum;
    } else {
        for (int n = 16; n > 0; n -= 2)
            sum = (1 + sum) * -square / (n * (n - 1));
        sum = 1 + sum;
    }
    const auto quadrant = static_cast<unsigned>(nearest & 3);
    return quadrant < 2 ? sum : -sum;
}

/// Sine and cosine of half an angle.
struct HalfAngle {
    float sine;
    float cosine;
};

/// An angle in 1/4096 turn, 0 to 4095. Final Fantasy VII and IX store rotations like that.
using Angle = std::uint16_t;
inline constexpr int kFullTurn = 4096;

namespace detail {
extern const std::array<HalfAngle, kFullTurn> kHalfAngles;
}

/// Half of a whole-numbered angle, by table: twelve times faster than sinf and cosf, and rounded correctly.
[[nodiscard]] inline HalfAngle halfAngle(Angle angle) { return detail::kHalfAngles[angle % kFullTurn]; }

/// Half of any angle, in 1/4096 turn: for keys between the stored ones.
[[nodiscard]] HalfAngle halfOfAngle(double angle);

/// R = Ry * Rx * Rz on column vectors (Z first): the order of Final Fantasy VII's battle models.
[[nodiscard]] inline glm::quat composeYXZ(HalfAngle x, HalfAngle y, HalfAngle z) {
    const float yx = y.cosine * x.cosine;
    const float sYsX = y.sine * x.sine;
    const float cYsX = y.cosine * x.sine;
    const float sYcX = y.sine * x.cosine;
    return {yx * z.cosine + sYsX * z.sine, cYsX * z.cosine + sYcX * z.sine, sYcX * z.cosine - cYsX * z.sine,
            yx * z.sine - sYsX * z.cosine};
}

/// R = Rz * Ry * Rx on column vectors (X first): the order of Final Fantasy IX.
[[nodiscard]] inline glm::quat composeZYX(HalfAngle x, HalfAngle y, HalfAngle z) {
    const float cYcZ = y.cosine * z.cosine;
    const float sYsZ = y.sine * z.sine;
    const float sYcZ = y.sine * z.cosine;
    const float cYsZ = y.cosine * z.sine;
    return {x.cosine * cYcZ + x.sine * sYsZ, x.sine * cYcZ - x.cosine * sYsZ, x.cosine * sYcZ + x.sine * cYsZ,
            x.cosine * cYsZ - x.sine * sYcZ};
}

/// `rotation` or its negative, whichever lies nearer to `previous`: both are the same rotation, and interpolation
/// between keys takes the short way only where the signs agree.
[[nodiscard]] inline glm::quat nearestSign(const glm::quat& rotation, const glm::quat& previous) {
    return glm::dot(rotation, previous) < 0 ? -rotation : rotation;
}

/// The change from one angle to the next, -2048 to 2047: the direction that a 12-bit delta states.
[[nodiscard]] constexpr int signedStep(Angle from, Angle to) {
    return ((to - from + kFullTurn / 2) & (kFullTurn - 1)) - kFullTurn / 2;
}

}  // namespace reanima::core
