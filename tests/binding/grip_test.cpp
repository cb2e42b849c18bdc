// Hands that hold something close their fingers. The left hand is in T pose with known positions: it points to +X, its
// palm faces down and its thumb points to +Z.

#include "binding/roles/grip.h"

#include <cmath>

#include <glm/trigonometric.hpp>
#include <gtest/gtest.h>

#include "core/pose.h"

namespace reanima {
namespace {

using roles::ClosedFinger;
using roles::Part;
using roles::Side;

struct Hand {
    core::Skeleton skeleton{};
    roles::Anatomy roles{};

    std::uint32_t add(const roles::Role& role, int parent, const glm::vec3& from) {
        core::Joint joint;
        joint.name = "joint" + std::to_string(skeleton.joints.size());
        joint.parent = parent;
        joint.rest.translation = from;
        skeleton.joints.push_back(joint);
        roles.roles.push_back(role);
        return static_cast<std::uint32_t>(skeleton.joints.size() - 1);
    }

    void addFinger(Part part, const glm::vec3& root, const glm::vec3& step) {
        std::uint32_t joint = add({part, Side::left, 0}, 0, root);
        for (std::uint8_t segment = 1; segment < 3; ++segment)
            joint = add({part, Side::left, segment}, static_cast<int>(joint), step);
    }
};

constexpr std::uint32_t kIndex = 1;
constexpr std::uint32_t kMiddle = 4;
constexpr std::uint32_t kThumb = 10;

Hand hand() {
    Hand hand;
    hand.skeleton.hasRest = true;
    hand.add({Part::hand, Side::left, 0}, core::kNoParent, {0, 0, 0});
    hand.addFinger(Part::index, {0.1F, 0, 0.03F}, {0.03F, 0, 0});
    hand.addFinger(Part::middle, {0.1F, 0, 0}, {0.03F, 0, 0});
    hand.addFinger(Part::little, {0.1F, 0, -0.03F}, {0.03F, 0, 0});
    hand.addFinger(Part::thumb, {0.02F, 0, 0.03F}, {0.02F, 0, 0.02F});
    return hand;
}

/// The hand with its fingers closed, in model space.
std::vector<glm::dvec3> placesOf(const Hand& hand, const std::vector<ClosedFinger>& closed) {
    core::Clip clip;
    clip.frames = 1;
    clip.timelines = {{0}};
    roles::closeFingers(closed, clip);
    std::vector<glm::dvec3> places;
    for (const glm::dmat4& matrix : core::globalMatrices(hand.skeleton, core::samplePose(hand.skeleton, clip, 0.0)))
        places.emplace_back(matrix[3]);
    return places;
}

/// The bend of a bone from +X towards the palm, which faces -Y.
double bentOf(const glm::dvec3& bone) { return glm::degrees(std::atan2(-bone.y, bone.x)); }

TEST(Grip, FingersBendTowardsThePalm) {
    const Hand open = hand();
    const std::vector<ClosedFinger> closed = roles::closedFingers(open.skeleton, open.roles, Side::left);
    ASSERT_EQ(closed.size(), 12U);
    const std::vector<glm::dvec3> at = placesOf(open, closed);
    for (const std::uint32_t finger : {kIndex, kMiddle}) {
        EXPECT_NEAR(bentOf(at[finger + 1] - at[finger]), 65, 0.01);
        EXPECT_NEAR(bentOf(at[finger + 2] - at[finger + 1]), 140, 0.01);
    }
}

TEST(Grip, WhatIsBentAlreadyBendsTheRest) {
    Hand relaxed = hand();
    relaxed.skeleton.joints[kMiddle].rest.rotation = glm::angleAxis(glm::radians(-30.0F), glm::vec3(0, 0, 1));
    const std::vector<glm::dvec3> at =
        placesOf(relaxed, roles::closedFingers(relaxed.skeleton, relaxed.roles, Side::left));
    EXPECT_NEAR(bentOf(at[kMiddle + 1] - at[kMiddle]), 65, 0.01);
    EXPECT_NEAR(bentOf(at[kMiddle + 2] - at[kMiddle + 1]), 140, 0.01);
}

TEST(Grip, AThumbGoesOverTheFingers) {
    const Hand open = hand();
    const std::vector<glm::dvec3> at = placesOf(open, roles::closedFingers(open.skeleton, open.roles, Side::left));
    const glm::dvec3 tip = at[kThumb + 2] - at[kThumb + 1];
    EXPECT_LT(tip.y, 0);                                // below the palm
    EXPECT_LT(tip.z, at[kThumb + 1].z - at[kThumb].z);  // and back towards the fingers
    EXPECT_GT(at[kThumb + 1].x, 0.02);
}

TEST(Grip, IsOfHandsWithTwoFingersOnTheirSide) {
    const Hand open = hand();
    EXPECT_TRUE(roles::closedFingers(open.skeleton, open.roles, Side::right).empty());
    Hand mitten;
    mitten.add({Part::hand, Side::left, 0}, core::kNoParent, {0, 0, 0});
    mitten.addFinger(Part::middle, {0.1F, 0, 0}, {0.03F, 0, 0});
    EXPECT_TRUE(roles::closedFingers(mitten.skeleton, mitten.roles, Side::left).empty());
}

TEST(Grip, LeavesFingersThatMove) {
    core::Clip clip;
    clip.timelines = {{0, 1}};
    core::JointTrack own;
    own.joint = 3;
    own.rotation.values = {{1, 0, 0, 0}, {0, 1, 0, 0}};
    clip.tracks = {own};
    roles::closeFingers({{2, {0, 0, 1, 0}}, {3, {0, 0, 0, 1}}, {5, {0, 0, 0, 1}}}, clip);
    ASSERT_EQ(clip.tracks.size(), 3U);
    EXPECT_EQ(clip.tracks[0].joint, 2U);
    EXPECT_EQ(clip.tracks[0].rotation.values, std::vector<glm::quat>{glm::quat(0, 0, 1, 0)});
    EXPECT_EQ(clip.tracks[1].rotation.values, own.rotation.values);
    EXPECT_EQ(clip.tracks[2].joint, 5U);
}

}  // namespace
}  // namespace reanima
