#include "core/nearest_angles.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace reanima::core {

namespace {

constexpr double kTurn = kFullTurn;
constexpr double kRadians = 2 * std::numbers::pi / kTurn;  // per 1/4096 turn

double sineOfHalf(double angle) { return sineOfQuarterTurns(angle / (kTurn / 2)); }
double cosineOfHalf(double angle) { return sineOfQuarterTurns(angle / (kTurn / 2) + 1); }

/// The signed difference between two angles, in the shorter direction.
double signedDifference(double from, double to) {
    const double difference = to - from;
    return std::abs(difference) < kTurn / 2 ? difference : std::remainder(difference, kTurn);
}

/// A rotation in the frame of its factors: R = Ri(a) * Rj(b) * Rk(c).
class Turn {
  public:
    Turn(const glm::dquat& q, const Factors& factors)
        : sign_((factors[1] + 3 - factors[0]) % 3 == 1 ? 1 : -1),  // the sign of ej * ek, which is ei or its opposite
          w_(q.w),
          i_(q[factors[0]]),
          j_(q[factors[1]]),
          k_(q[factors[2]]) {}

    /// One of the two values of the first angle that allow the exact rotation. The other value is half a turn away.
    [[nodiscard]] double first() const { return std::atan2(sineOfFirst(), cosineOfFirst()) / kRadians; }

    /// True if the second angle is within 5 degrees of a quarter turn in either direction.
    [[nodiscard]] bool isAtPole() const {
        constexpr double kPole = 0.08715574;  // the sine of 5 degrees
        return sineOfFirst() * sineOfFirst() + cosineOfFirst() * cosineOfFirst() < kPole * kPole;
    }

    /// The best second and third angle for a given first angle.
    struct Rest {
        double second;
        double third;
    };
    [[nodiscard]] Rest restFor(double first) const {
        const Products left = leftOf(first);
        const double sum = std::atan2(left.sineOfSum, left.cosineOfSum);
        const double difference = std::atan2(left.sineOfDifference, left.cosineOfDifference);
        return {(sum + difference) / kRadians, (sum - difference) / kRadians};
    }

    /// The quality of restFor(): the cosine of half the remaining rotation; 1 is exact.
    [[nodiscard]] double cosineFor(double first) const {
        const Products left = leftOf(first);
        return (std::hypot(left.sineOfSum, left.cosineOfSum) +
                std::hypot(left.sineOfDifference, left.cosineOfDifference)) /
               2;
    }

  private:
    // The sine and the cosine of the first angle, each times the cosine of the second angle.
    [[nodiscard]] double sineOfFirst() const { return 2 * (w_ * i_ - sign_ * j_ * k_); }
    [[nodiscard]] double cosineOfFirst() const { return w_ * w_ - i_ * i_ - j_ * j_ + k_ * k_; }

    /// Ri(-a) * R, which Rj(b) * Rk(c) should equal. The dot product of both is a sum of two cosines: one cosine
    /// depends on the sum of b/2 and c/2, the other on the difference. The dot product is largest if both fit.
    struct Products {
        double sineOfSum;
        double cosineOfSum;
        double sineOfDifference;
        double cosineOfDifference;
    };
    [[nodiscard]] Products leftOf(double first) const {
        const double s = sineOfHalf(first);
        const double c = cosineOfHalf(first);
        const double w = c * w_ + s * i_;
        const double i = c * i_ - s * w_;
        const double j = c * j_ + sign_ * s * k_;
        const double k = c * k_ - sign_ * s * j_;
        return {j + k, w - sign_ * i, j - k, w + sign_ * i};
    }

    double sign_;
    double w_;
    double i_;
    double j_;
    double k_;
};

/// 1 - the cosine of half the allowed error.
constexpr double lossOf(Closeness close) {
    return close == Closeness::text ? 3.80771774e-11    // half of 0.001 degrees
                                    : 1.5230870892e-8;  // half of 0.02 degrees
}

/// Near the pole: the angle nearest to `near` that is precise enough, on the way to the exact first angle.
double firstTowards(const Turn& turn, double near, double way, double loss) {
    double enough = 1;
    double tooNear = 0;
    if (turn.cosineFor(near) >= 1 - loss)
        return near;
    for (int step = 0; step < 24; ++step) {
        const double middle = (enough + tooNear) / 2;
        (turn.cosineFor(near + middle * way) >= 1 - loss ? enough : tooNear) = middle;
    }
    return near + enough * way;
}

double movement(const RealAngles& from, const RealAngles& to) {
    double sum = 0;
    for (std::size_t axis = 0; axis < 3; ++axis)
        sum += std::abs(signedDifference(from[axis], to[axis]));
    return sum;
}

}  // namespace

glm::dquat rotationOf(const RealAngles& angles, const Factors& factors) {
    glm::dquat rotation(1, 0, 0, 0);
    for (const std::uint8_t axis : factors) {
        glm::dquat factor(cosineOfHalf(angles[axis]), 0, 0, 0);
        factor[axis] = sineOfHalf(angles[axis]);
        rotation *= factor;
    }
    return rotation;
}

RealAngles nearestAngles(const glm::dquat& rotation, const Factors& factors, const RealAngles& near, Closeness close) {
    const Turn turn(rotation, factors);
    const bool isAtPole = turn.isAtPole();
    const auto anglesBy = [&](double exact) {
        const double way = signedDifference(near[factors[0]], exact);
        const double first =
            isAtPole ? firstTowards(turn, near[factors[0]], way, lossOf(close)) : near[factors[0]] + way;
        const Turn::Rest rest = turn.restFor(first);
        RealAngles angles = near;
        angles[factors[0]] += signedDifference(near[factors[0]], first);
        angles[factors[1]] += signedDifference(near[factors[1]], rest.second);
        angles[factors[2]] += signedDifference(near[factors[2]], rest.third);
        return angles;
    };
    const double exact = turn.first();
    const RealAngles angles = anglesBy(exact);
    const double moved = movement(near, angles);
    // Away from the pole, the other solution differs by half a turn in the first and the third angle.
    constexpr double kRounding = 1e-6;
    const double movedThere = std::abs(signedDifference(near[factors[0]], angles[factors[0]])) +
                              std::abs(signedDifference(near[factors[2]], angles[factors[2]]));
    if (!isAtPole && moved + kRounding < kTurn - movedThere)
        return angles;
    const RealAngles others = anglesBy(exact + kTurn / 2);
    return movement(near, others) < moved ? others : angles;
}

WholeAngles nearestAngles(const glm::dquat& rotation, const Factors& factors, const WholeAngles& near,
                          unsigned keyBits) {
    const RealAngles from = {static_cast<double>(near[0]), static_cast<double>(near[1]), static_cast<double>(near[2])};
    const RealAngles real = nearestAngles(rotation, factors, from);
    const double unit = 1U << keyBits;
    RealAngles middle{};
    for (std::size_t axis = 0; axis < 3; ++axis)
        middle[axis] = std::round(real[axis] / unit) * unit;
    RealAngles best = middle;
    double closest = -1;
    for (int neighbour = 0; neighbour < 27; ++neighbour) {
        const int x = neighbour % 3 - 1;
        const int y = neighbour / 3 % 3 - 1;
        const int z = neighbour / 9 - 1;
        const RealAngles angles = {middle[0] + x * unit, middle[1] + y * unit, middle[2] + z * unit};
        const double cosine = std::abs(glm::dot(rotationOf(angles, factors), rotation));
        constexpr double kSame = 1e-12;  // rounding errors of equal angles
        if (cosine > closest + kSame || (cosine > closest - kSame && movement(from, angles) < movement(from, best))) {
            closest = std::max(closest, cosine);
            best = angles;
        }
    }
    WholeAngles whole{};
    for (std::size_t axis = 0; axis < 3; ++axis)
        whole[axis] = static_cast<Angle>(static_cast<std::int64_t>(best[axis]) & (kFullTurn - 1));
    return whole;
}

}  // namespace reanima::core
