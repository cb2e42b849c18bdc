/// Converts the games' angles and sines to unit quaternions. No other code does.
///
/// The same file gives the same bits on every machine: no function here uses libm's transcendental functions, and the
/// library is compiled without contraction of floating point expressions.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <glm/gtc/quaternion.hpp>

namespace reanima::core {

/// sin(quarterTurns * pi / 2), with an error of about 1 ulp of a double. |quarterTurns| must be below 2^31.
[[nodiscard]] constexpr double sineOfQuarterTurns(double quarterTurns) {
    // Subtracts the nearest whole number of quarter turns. The difference is exact for any angle.
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

/// An angle in 1/4096 turn, 0 to 4095. Final Fantasy VII and IX store rotations like this.
using Angle = std::uint16_t;
inline constexpr int kFullTurn = 4096;

namespace detail {
extern const std::array<HalfAngle, kFullTurn> kHalfAngles;
}

/// Half of a whole-numbered angle, by table: twelve times faster than sinf and cosf, and rounded correctly.
[[nodiscard]] inline HalfAngle halfAngle(Angle angle) { return detail::kHalfAngles[angle % kFullTurn]; }

/// Half of any angle, in 1/4096 turn: for keys between the stored ones.
[[nodiscard]] HalfAngle halfOfAngle(double angle);

namespace detail {

#if defined(__GNUC__)
/// Four floats, their bits, or two doubles as a vector; GCC and clang support this form on every processor.
using Four = float __attribute__((vector_size(16)));
using FourBits = std::uint32_t __attribute__((vector_size(16)));
using Two = double __attribute__((vector_size(16)));
#else
/// `Four` without vectors. The operations are the same, and therefore also the bits.
struct Four {
    float v[4];
    float operator[](int i) const { return v[i]; }
    friend Four operator*(Four a, Four b) { return {a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]}; }
    friend Four operator+(Four a, Four b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]}; }
};
struct FourBits {
    std::uint32_t v[4];
    std::uint32_t operator[](int i) const { return v[i]; }
    friend FourBits operator&(FourBits a, FourBits b) { return {a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]}; }
    friend FourBits operator^(FourBits a, FourBits b) { return {a[0] ^ b[0], a[1] ^ b[1], a[2] ^ b[2], a[3] ^ b[3]}; }
};
struct Two {
    double v[2];
    double operator[](int i) const { return v[i]; }
    friend Two operator*(Two a, Two b) { return {a[0] * b[0], a[1] * b[1]}; }
    friend Two operator+(Two a, Two b) { return {a[0] + b[0], a[1] + b[1]}; }
};
#endif

/// Sine and cosine in the first two places, by a single load.
[[nodiscard]] inline Four four(HalfAngle half) { return std::bit_cast<Four>(Two{std::bit_cast<double>(half), 0}); }

/// The elements at these places.
template <int a, int b, int c, int d, typename V>
[[nodiscard]] inline V shuffled(V v) {
    return V{v[a], v[b], v[c], v[d]};
}

/// The elements at these places of two vectors: 0 to 3 are places of `v`, 4 to 7 of `w`.
template <int a, int b, int c, int d>
[[nodiscard]] inline Four shuffled(Four v, Four w) {
#if defined(__clang__)
    return __builtin_shufflevector(v, w, a, b, c, d);
#elif defined(__GNUC__)  // GCC does not recognise the form below as a shuffle
    return __builtin_shuffle(v, w, FourBits{a, b, c, d});
#else
    const auto at = [&](int i) { return i < 4 ? v[i] : w[i - 4]; };
    return Four{at(a), at(b), at(c), at(d)};
#endif
}

/// x, y, z, w
[[nodiscard]] inline Four four(const glm::quat& q) {
    if constexpr (offsetof(glm::quat, w) == 3 * sizeof(float))
        return std::bit_cast<Four>(q);
    else  // for builds of glm that store w first
        return Four{q.x, q.y, q.z, q.w};
}
[[nodiscard]] inline glm::quat toQuaternion(Four q) {
    if constexpr (offsetof(glm::quat, w) == 3 * sizeof(float))
        return std::bit_cast<glm::quat>(q);
    else
        return {q[3], q[0], q[1], q[2]};
}

}  // namespace detail

/// R = Ry * Rx * Rz on column vectors (Z first): the order of Final Fantasy VII's and VIII's battle models.
///   x = cy sx cz + sy cx sz, y = sy cx cz - cy sx sz, z = cy cx sz - sy sx cz, w = cy cx cz + sy sx sz
[[nodiscard]] inline glm::quat composeYXZ(HalfAngle x, HalfAngle y, HalfAngle z) {
    using namespace detail;
    const Four yx = shuffled<1, 0, 0, 1>(four(y)) * Four{1, 1, -1, 1} * shuffled<0, 1, 0, 1>(four(x));
    return toQuaternion(yx * shuffled<1, 1, 1, 1>(four(z)) +
                        shuffled<1, 0, 3, 2>(yx) * shuffled<0, 0, 0, 0>(four(z)) * Four{1, -1, 1, -1});
}

/// R = Rz * Ry * Rx on column vectors (X first): the order of Final Fantasy IX.
///   x = sx cy cz - cx sy sz, y = cx sy cz + sx cy sz, z = cx cy sz - sx sy cz, w = cx cy cz + sx sy sz
[[nodiscard]] inline glm::quat composeZYX(HalfAngle x, HalfAngle y, HalfAngle z) {
    using namespace detail;
    const Four zy = shuffled<1, 1, 0, 0>(four(y)) * Four{1, 1, -1, 1} * shuffled<1, 0, 1, 0>(four(z));
    return toQuaternion(zy * shuffled<0, 0, 0, 0>(four(x)) +
                        shuffled<3, 2, 1, 0>(zy) * shuffled<1, 1, 1, 1>(four(x)) * Four{-1, -1, 1, 1});
}

/// `rotation` or its negative, whichever is nearer to `previous`. Both are the same rotation, but interpolation between
/// keys takes the shorter arc only if the signs agree.
[[nodiscard]] inline glm::quat nearestSign(const glm::quat& rotation, const glm::quat& previous) {
    return glm::dot(rotation, previous) < 0 ? -rotation : rotation;
}

/// The change from one angle to the next, -2048 to 2047, as a signed 12-bit delta.
[[nodiscard]] constexpr int signedStep(Angle from, Angle to) {
    return ((to - from + kFullTurn / 2) & (kFullTurn - 1)) - kFullTurn / 2;
}

/// Rotations as Metroid Prime stores them: three whole numbers and the sign of W. The sine of each number, as an angle,
/// is a component of the quaternion's vector part.
///
/// An angle is split into a coarse and a fine one: sin(a + b) = sin a cos b + cos a sin b, within 3e-16. The sines and
/// cosines of both come from tables made by sineOfQuarterTurns().
class SineRotations {
  public:
    enum class SignOfW { positive, negative };

    /// @param divisor the number for a quarter turn; not 0
    explicit SineRotations(std::uint32_t divisor);

    /// sin(number * pi / 2 / divisor)
    [[nodiscard]] double sine(std::int16_t number) const {
        const detail::Two products = productsOf(number);
        return products[0] + products[1];
    }

    /// The quaternion whose vector part is the sines of the numbers. W completes it to unit length. If the vector part
    /// is longer than 1, W is 0 and the quaternion is not of unit length.
    [[nodiscard]] glm::dquat rotation(const std::array<std::int16_t, 3>& numbers, SignOfW sign) const {
        const detail::Two x = productsOf(numbers[0]);
        const detail::Two y = productsOf(numbers[1]);
        const detail::Two z = productsOf(numbers[2]);
        const detail::Two xy = detail::Two{x[0], y[0]} + detail::Two{x[1], y[1]};
        const double sineZ = z[0] + z[1];
        const detail::Two squares = xy * xy;
        const double squareW = 1 - squares[0] - squares[1] - sineZ * sineZ;
        const double w = squareW > 0 ? std::sqrt(squareW) : 0;
        return {sign == SignOfW::negative ? -w : w, xy[0], xy[1], sineZ};
    }

    /// The number, up to a quarter turn, whose sine is nearest to `sine`.
    [[nodiscard]] std::int16_t nearest(double sine) const;

    /// The numbers, up to a quarter turn, whose sines are nearest to the vector part of a unit quaternion. Near half a
    /// turn, W is a difference of nearly equal numbers, so neighbouring numbers are searched for the nearest rotation.
    /// With the finest divisor, the error there is up to 0.4 degrees (0.9 without the search). Elsewhere it is 0.04.
    [[nodiscard]] std::array<std::int16_t, 3> nearest(const glm::dquat& rotation) const;

  private:
    static constexpr int kFine = 256;  // numbers per coarse step

    [[nodiscard]] detail::Two productsOf(int number) const {
        const int coarse = (number + kFine / 2) >> 8;
        const int coarsePlace = coarse + kFine / 2;
        const int finePlace = number - coarse * kFine + kFine / 2;
        return coarse_[static_cast<std::size_t>(coarsePlace)] * fine_[static_cast<std::size_t>(finePlace)];
    }

    std::array<detail::Two, kFine + 1> coarse_;  // sine, cosine
    std::array<detail::Two, kFine> fine_;        // cosine, sine
    std::int16_t largest_;                       // largest number within a quarter turn
};

}  // namespace reanima::core
