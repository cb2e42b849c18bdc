#include "core/rotation.h"

#include <bit>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "core/axes.h"
#include "core/continuous_rotations.h"

namespace reanima::core {
namespace {

constexpr long double kPi = 3.14159265358979323846264338327950288L;

TEST(SineOfQuarterTurns, AgreesWithLibm) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> angle(-40000, 40000);
    double worst = 0;
    for (int i = 0; i < 200000; ++i) {
        const double t = i % 2 == 0 ? angle(random) : angle(random) / 10000;
        const long double reduced = std::remainder(static_cast<long double>(t), 4.0L) * kPi / 2;
        worst = std::max(worst, std::abs(sineOfQuarterTurns(t) - static_cast<double>(std::sin(reduced))));
    }
    EXPECT_LE(worst, 2.3e-16);
}

TEST(SineOfQuarterTurns, IsExactAtQuarterTurns) {
    EXPECT_EQ(sineOfQuarterTurns(0), 0.0);
    EXPECT_EQ(sineOfQuarterTurns(1), 1.0);
    EXPECT_EQ(sineOfQuarterTurns(2), 0.0);
    EXPECT_EQ(sineOfQuarterTurns(3), -1.0);
    EXPECT_EQ(sineOfQuarterTurns(-1), -1.0);
    EXPECT_EQ(sineOfQuarterTurns(32769), 1.0);
}

TEST(HalfAngle, EveryEntryIsTheNearestFloat) {
    for (int angle = 0; angle < kFullTurn; ++angle) {
        const long double half = static_cast<long double>(angle) * kPi / kFullTurn;
        const HalfAngle entry = halfAngle(static_cast<Angle>(angle));
        ASSERT_EQ(entry.sine, static_cast<float>(std::sin(half))) << angle;
        // cos(pi/2) is 0 here, without the rounding error of pi
        ASSERT_EQ(entry.cosine, angle == kFullTurn / 2 ? 0.0F : static_cast<float>(std::cos(half))) << angle;
    }
}

TEST(HalfAngle, FractionsLieBetween) {
    EXPECT_EQ(halfOfAngle(1024).sine, halfAngle(1024).sine);
    EXPECT_NEAR(static_cast<double>(halfOfAngle(100.5).cosine), std::cos(100.5 * 3.14159265358979 / 4096), 1e-7);
    EXPECT_NEAR(static_cast<double>(halfOfAngle(-1000.25).sine), std::sin(-1000.25 * 3.14159265358979 / 4096), 1e-7);
}

using Matrix = std::array<std::array<double, 3>, 3>;

Matrix product(const Matrix& a, const Matrix& b) {
    Matrix m{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            for (std::size_t k = 0; k < 3; ++k)
                m[i][j] += a[i][k] * b[k][j];
    return m;
}

Matrix about(int axis, Angle angle) {
    const double a = static_cast<double>(angle) * 2 * static_cast<double>(kPi) / kFullTurn;
    const double c = std::cos(a);
    const double s = std::sin(a);
    switch (axis) {
        case 0:
            return {{{1, 0, 0}, {0, c, -s}, {0, s, c}}};
        case 1:
            return {{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}};
        default:
            return {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}};
    }
}

/// The largest difference of the rotated axes. It compares matrices, not quaternions, so that the test shares no code.
double difference(const glm::quat& q, const Matrix& m) {
    const glm::dmat3 r = glm::mat3_cast(glm::dquat(q));
    double worst = 0;
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
            worst = std::max(
                worst, std::abs(r[column][row] - m[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)]));
    return worst;
}

TEST(Compose, OrdersOfBothGames) {
    std::mt19937 random(2);
    double worst = 0;
    double longest = 0;
    for (int i = 0; i < 100000; ++i) {
        const auto x = static_cast<Angle>(random() % kFullTurn);
        const auto y = static_cast<Angle>(random() % kFullTurn);
        const auto z = static_cast<Angle>(random() % kFullTurn);
        const glm::quat yxz = composeYXZ(halfAngle(x), halfAngle(y), halfAngle(z));
        const glm::quat zyx = composeZYX(halfAngle(x), halfAngle(y), halfAngle(z));
        worst = std::max(worst, difference(yxz, product(about(1, y), product(about(0, x), about(2, z)))));
        worst = std::max(worst, difference(zyx, product(about(2, z), product(about(1, y), about(0, x)))));
        longest = std::max(longest, std::abs(glm::length(glm::dquat(yxz)) - 1));
        longest = std::max(longest, std::abs(glm::length(glm::dquat(zyx)) - 1));
    }
    EXPECT_LE(worst, 8e-7);  // limit for matrices: their error is up to four times that of quaternions
    EXPECT_LE(longest, 2e-7);
}

TEST(Compose, ComponentsAreWithinTwoTenMillionths) {
    std::mt19937 random(3);
    double worst = 0;
    for (int i = 0; i < 100000; ++i) {
        std::array<Angle, 3> a{};
        std::array<long double, 3> s{};
        std::array<long double, 3> c{};
        for (std::size_t k = 0; k < 3; ++k) {
            a[k] = static_cast<Angle>(random() % kFullTurn);
            s[k] = std::sin(a[k] * kPi / kFullTurn);
            c[k] = std::cos(a[k] * kPi / kFullTurn);
        }
        // the half-angle formulas of docs/formats, in long double
        const std::array<long double, 4> expected = {
            c[1] * c[0] * c[2] + s[1] * s[0] * s[2], c[1] * s[0] * c[2] + s[1] * c[0] * s[2],
            s[1] * c[0] * c[2] - c[1] * s[0] * s[2], c[1] * c[0] * s[2] - s[1] * s[0] * c[2]};
        const glm::quat q = composeYXZ(halfAngle(a[0]), halfAngle(a[1]), halfAngle(a[2]));
        const std::array<float, 4> found = {q.w, q.x, q.y, q.z};
        for (std::size_t k = 0; k < 4; ++k)
            worst = std::max(worst, std::abs(static_cast<double>(found[k]) - static_cast<double>(expected[k])));
    }
    EXPECT_LE(worst, 2e-7);
}

/// Composes rotations one by one.
std::vector<glm::quat> composedPlainly(const AngleChannels& angles, std::size_t frames) {
    std::vector<glm::quat> rotations;
    glm::quat before(1, 0, 0, 0);
    bool turned = false;
    for (std::size_t frame = 0; frame < frames; ++frame) {
        std::array<HalfAngle, 3> half{};
        for (std::size_t axis = 0; axis < 3; ++axis)
            half[axis] = halfAngle(angles[axis].size() == 1 ? angles[axis].front() : angles[axis][frame]);
        const glm::quat rotation = axes::fromYDown(composeZYX(half[0], half[1], half[2]));
        turned = turned != (frame > 0 && std::signbit(halfCosine(before, rotation)));
        before = rotation;
        rotations.push_back(turned ? -rotation : rotation);
    }
    return rotations;
}

std::array<std::uint32_t, 4> bitsOf(const glm::quat& q) {
    return {std::bit_cast<std::uint32_t>(q.x), std::bit_cast<std::uint32_t>(q.y), std::bit_cast<std::uint32_t>(q.z),
            std::bit_cast<std::uint32_t>(q.w)};
}

TEST(ComposeContinuously, HasTheBitsOfOneRotationAfterTheOther) {
    std::mt19937 generator(4);
    const auto random = [&generator] { return static_cast<unsigned>(generator()); };
    std::size_t turned = 0;
    for (std::size_t frames = 0; frames < 300; frames += frames < 20 ? 1 : 7)
        for (unsigned constant = 0; constant < 8; ++constant)
            // small steps, large ones, and quarter turns, whose sines and cosines are 0
            for (const auto& [step, unit] : {std::pair<unsigned, unsigned>{300, 1}, {4096, 1}, {4, 1024}}) {
                std::array<std::vector<Angle>, 3> values;
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    unsigned angle = random() % (kFullTurn / unit) * unit;
                    for (std::size_t i = 0; i < ((constant >> axis & 1U) != 0 ? 1 : frames); ++i) {
                        values[axis].push_back(static_cast<Angle>(angle % kFullTurn));
                        angle += random() % step * unit;
                    }
                }
                const AngleChannels angles = {values[0], values[1], values[2]};
                std::vector<glm::quat> found(frames + 1, glm::quat(9, 9, 9, 9));
                constexpr float kNear = 0.5F;
                const std::size_t far = composeContinuously(angles, std::span(found).first(frames), kNear);
                EXPECT_EQ(found.back(), glm::quat(9, 9, 9, 9));
                const std::vector<glm::quat> expected = composedPlainly(angles, frames);
                std::size_t expectedFar = 0;
                for (std::size_t i = 0; i < frames; ++i) {
                    ASSERT_EQ(bitsOf(found[i]), bitsOf(expected[i])) << frames << ' ' << constant << ' ' << i;
                    if (i > 0 && halfCosine(expected[i - 1], expected[i]) < kNear)
                        ++expectedFar;
                    if (found[i].w < 0)
                        ++turned;
                }
                EXPECT_EQ(far, expectedFar);
            }
    EXPECT_GT(turned, 1000U);
}

TEST(SignedStep, TakesTheStoredDirection) {
    EXPECT_EQ(signedStep(0, 1), 1);
    EXPECT_EQ(signedStep(1, 0), -1);
    EXPECT_EQ(signedStep(4095, 0), 1);
    EXPECT_EQ(signedStep(0, 2048), -2048);  // a half turn can only be stored as a step back
    EXPECT_EQ(signedStep(0, 2047), 2047);
}

TEST(NearestSign, KeepsTheRotation) {
    const glm::quat q(0.5F, 0.5F, -0.5F, 0.5F);
    EXPECT_EQ(nearestSign(-q, q), q);
    EXPECT_EQ(nearestSign(q, q), q);
}

TEST(Axes, BothChangesAreRotationsOfTheDocuments) {
    // Y down and front -Z become Y up and front +Z.
    EXPECT_EQ(axes::fromYDown(glm::vec3(1, 2, 3)), glm::vec3(1, -2, -3));
    // +X right, +Y forward, +Z up become: right is -X, forward +Z, up +Y.
    EXPECT_EQ(axes::fromZUp(glm::vec3(1, 0, 0)), glm::vec3(-1, 0, 0));
    EXPECT_EQ(axes::fromZUp(glm::vec3(0, 1, 0)), glm::vec3(0, 0, 1));
    EXPECT_EQ(axes::fromZUp(glm::vec3(0, 0, 1)), glm::vec3(0, 1, 0));
    EXPECT_EQ(axes::fromYDown(glm::dvec3(512, 1024, -256), 1.0 / 512), glm::vec3(1, -2, 0.5F));
    EXPECT_EQ(axes::fromZUp(glm::dvec3(1, 2, 3), 2), glm::vec3(-2, 6, 4));
}

TEST(Axes, TurningAVectorBeforeOrAfterIsTheSame) {
    const glm::quat q = glm::normalize(glm::quat(0.3F, -0.5F, 0.7F, 0.2F));
    const glm::vec3 v(0.3F, -1.2F, 2.5F);
    for (int i = 0; i < 2; ++i) {
        const auto turnV = [i](const glm::vec3& a) { return i == 0 ? axes::fromYDown(a) : axes::fromZUp(a); };
        const auto turnQ = [i](const glm::quat& a) { return i == 0 ? axes::fromYDown(a) : axes::fromZUp(a); };
        const glm::vec3 first = turnV(q * v);
        const glm::vec3 second = turnQ(q) * turnV(v);
        EXPECT_LT(glm::distance(first, second), 1e-6F);
    }
}

TEST(SineRotations, EverySineAgreesWithLibm) {
    for (const std::uint32_t divisor : {1U, 512U, 32767U, 40000U, 0xFFFFFFFFU}) {
        const SineRotations rotations(divisor);
        double worst = 0;
        for (int number = -32768; number < 32768; ++number) {
            const long double quarters = std::remainder(static_cast<long double>(number) / divisor, 4.0L);
            const auto expected = static_cast<double>(std::sin(quarters * kPi / 2));
            worst = std::max(worst, std::abs(rotations.sine(static_cast<std::int16_t>(number)) - expected));
        }
        EXPECT_LE(worst, 3e-16) << divisor;
    }
}

TEST(SineRotations, TheSignOfWIsTheCallers) {
    const SineRotations rotations(300);  // 100 is 30 degrees: its sine is 0.5
    const glm::dquat q = rotations.rotation({100, -100, 0}, SineRotations::SignOfW::positive);
    EXPECT_NEAR(q.x, 0.5, 1e-15);
    EXPECT_NEAR(q.y, -0.5, 1e-15);
    EXPECT_EQ(q.z, 0);
    EXPECT_NEAR(q.w, std::sqrt(0.5), 1e-15);
    const glm::dquat negative = rotations.rotation({100, -100, 0}, SineRotations::SignOfW::negative);
    EXPECT_EQ(negative.w, -q.w);
    EXPECT_EQ(negative.x, q.x);
}

TEST(SineRotations, WIsZeroWhereTheVectorPartIsLongerThanOne) {
    const glm::dquat q =
        SineRotations(300).rotation({200, 200, 200}, SineRotations::SignOfW::positive);  // three times sin 60 degrees
    EXPECT_EQ(q.w, 0);
    EXPECT_NEAR(glm::length(q), 1.5, 1e-15);
}

TEST(SineRotations, WStaysRightNearZero) {
    const SineRotations rotations(32767);
    for (const int number : {32767, 32766, 32760, 32700}) {
        const long double sine = std::sin(static_cast<long double>(number) / 32767 * kPi / 2);
        const auto expected = static_cast<double>(std::sqrt(1 - sine * sine));
        EXPECT_NEAR(rotations.rotation({static_cast<std::int16_t>(number), 0, 0}, SineRotations::SignOfW::positive).w,
                    expected, 2e-16 / std::max(expected, 1e-8));
    }
}

TEST(SineRotations, TheNearestNumberOfASineIsTheOneItCameFrom) {
    for (const std::uint32_t divisor : {1U, 512U, 32767U, 65535U}) {
        const SineRotations rotations(divisor);
        const int largest = static_cast<int>(std::min(divisor, 32767U));
        for (int number = -largest; number <= largest; number += 1 + largest / 5000)
            ASSERT_EQ(rotations.nearest(rotations.sine(static_cast<std::int16_t>(number))), number) << divisor;
        EXPECT_EQ(rotations.nearest(1.5), largest);
        EXPECT_EQ(rotations.nearest(-1.5), -largest);
    }
    const SineRotations rotations(300);
    EXPECT_EQ(rotations.nearest(std::sin(100.4 / 300 * 1.5707963267948966)), 100);
    EXPECT_EQ(rotations.nearest(std::sin(100.6 / 300 * 1.5707963267948966)), 101);
}

TEST(SineRotations, TheNearestNumbersOfARotationHoldNearHalfATurn) {
    const SineRotations rotations(32767);
    std::mt19937 random(7);
    std::normal_distribution<double> axis;
    std::uniform_real_distribution<double> w(-0.12, 0.12);
    double worst = 0;
    for (int i = 0; i < 5000; ++i) {
        const double ofW = w(random);
        const glm::dvec3 v =
            glm::normalize(glm::dvec3(axis(random), axis(random), axis(random))) * std::sqrt(1 - ofW * ofW);
        const auto sign = ofW < 0 ? SineRotations::SignOfW::negative : SineRotations::SignOfW::positive;
        const glm::dquat is = glm::normalize(rotations.rotation(rotations.nearest({ofW, v.x, v.y, v.z}), sign));
        const double half = std::sqrt(std::pow(is.w - ofW, 2) + std::pow(is.x - v.x, 2) + std::pow(is.y - v.y, 2) +
                                      std::pow(is.z - v.z, 2)) /
                            2;
        worst = std::max(worst, 4 * std::asin(half) * 180 / static_cast<double>(kPi));
    }
    EXPECT_LT(worst, 0.4);  // 0.9 if computed only from the components
}

}  // namespace
}  // namespace reanima::core
