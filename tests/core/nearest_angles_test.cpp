#include "core/nearest_angles.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

namespace reanima::core {
namespace {

#include "nearest_angles_table.inc"

glm::dquat about(std::size_t axis, double degrees) {
    glm::dquat q(std::cos(degrees * std::numbers::pi / 360), 0, 0, 0);
    q[static_cast<int>(axis)] = std::sin(degrees * std::numbers::pi / 360);
    return q;
}

double degreesBetween(const glm::dquat& a, const glm::dquat& b) {
    const glm::dquat c = glm::conjugate(a) * b;
    return 2 * std::atan2(std::hypot(c.x, c.y, c.z), std::abs(c.w)) * 180 / std::numbers::pi;
}

RealAngles real(const WholeAngles& angles) {
    return {static_cast<double>(angles[0]), static_cast<double>(angles[1]), static_cast<double>(angles[2])};
}

constexpr std::array<AxisOrder, 2> kOrders = {AxisOrder::yxz, AxisOrder::zyx};

TEST(NearestAngles, AreThoseOfAnotherImplementation) {
    for (const Row& row : kTable) {
        const glm::dquat rotation(row.rotation[3], row.rotation[0], row.rotation[1], row.rotation[2]);
        EXPECT_EQ(nearestAngles(rotation, factorsOf(row.order), row.near), row.expected);
    }
}

TEST(NearestAngles, FollowMotions) {
    std::mt19937 random(34);
    std::uniform_real_distribution<double> share(-1, 1);
    for (const AxisOrder order : kOrders)
        for (int motion = 0; motion < 10000; ++motion) {
            const Factors factors = factorsOf(order);
            // Half of them pass the pole on purpose, and rotate about one axis by a full turn.
            const bool passesPole = motion % 2 == 0;
            WholeAngles near{};
            RealAngles begin{};
            for (std::size_t axis = 0; axis < 3; ++axis)
                begin[axis] = share(random) * 2048;
            if (passesPole)
                begin[factors[1]] = (random() % 2 == 0 ? 1 : -1) * (1024 + share(random) * 60);
            for (std::size_t axis = 0; axis < 3; ++axis)
                near[axis] = static_cast<Angle>(static_cast<int>(begin[axis]) & (kFullTurn - 1));
            glm::dquat rotation = rotationOf(real(near), factors);
            const std::size_t turned = random() % 3;
            const double step = share(random) * 6;  // degrees per frame
            for (int frame = 0; frame < 12; ++frame) {
                const glm::dquat before = rotation;
                rotation = about(turned, passesPole ? 6 : step) * rotation;
                const WholeAngles found = nearestAngles(rotation, factors, near);
                ASSERT_LE(degreesBetween(rotationOf(real(found), factors), rotation), 0.09);
                const double middle = std::cos(found[factors[1]] * 2 * std::numbers::pi / kFullTurn);
                const double middleBefore = std::cos(near[factors[1]] * 2 * std::numbers::pi / kFullTurn);
                const double largest = 6 * degreesBetween(before, rotation) / 360 * kFullTurn + 1;
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    const double moved = std::abs(signedStep(near[axis], found[axis]));
                    ASSERT_LT(moved, kFullTurn / 2);
                    if (std::min(std::abs(middle), std::abs(middleBefore)) > 0.17365) {  // 10 degrees from the pole
                        ASSERT_LE(moved, largest) << motion << ' ' << frame;
                    }
                }
                near = found;
            }
        }
}

TEST(NearestAngles, StayWhatTheyAre) {
    std::mt19937 random(1);
    for (const AxisOrder order : kOrders)
        for (int i = 0; i < 20000; ++i) {
            WholeAngles angles{};
            for (Angle& angle : angles)
                angle = static_cast<Angle>(random() % kFullTurn);
            EXPECT_EQ(nearestAngles(rotationOf(real(angles), factorsOf(order)), factorsOf(order), angles), angles);
        }
}

TEST(NearestAngles, AreMultiplesOfTheKey) {
    const Factors factors = factorsOf(AxisOrder::yxz);
    const WholeAngles found = nearestAngles(rotationOf({165, 0, 0}, factors), factors, WholeAngles{320, 0, 0}, 4);
    EXPECT_EQ(found, (WholeAngles{160, 0, 0}));
}

}  // namespace
}  // namespace reanima::core
