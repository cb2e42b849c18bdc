/// Poses, comparisons, validation and edits of clips.
#include <cmath>
#include <numbers>
#include <numeric>

#include <gtest/gtest.h>

#include "core/edit.h"
#include "core/pose.h"
#include "core/scene_motion.h"
#include "core/validate.h"

namespace reanima::core {
namespace {

/// Two joints, one metre apart along X.
Skeleton arm() {
    Skeleton skeleton;
    skeleton.name = "arm";
    skeleton.joints.resize(2);
    skeleton.joints[0].name = "upper";
    skeleton.joints[1].name = "lower";
    skeleton.joints[1].parent = 0;
    skeleton.joints[1].rest.translation = {1, 0, 0};
    skeleton.joints[1].end = glm::vec3(0.5F, 0, 0);
    return skeleton;
}

glm::quat aboutZ(float degrees) { return glm::angleAxis(glm::radians(degrees), glm::vec3(0, 0, 1)); }

/// The upper joint turns by 90 degrees about Z in one second.
Clip turn() {
    Clip clip;
    clip.name = "turn";
    clip.rate = 2;
    clip.frames = 3;
    clip.duration = 1;
    clip.timelines = {{0, 0.5F, 1}};
    clip.tracks.push_back({0, {}, {0, Interpolation::linear, {aboutZ(0), aboutZ(45), aboutZ(90)}}, {}});
    return clip;
}

TEST(Pose, IsInterpolatedBetweenKeysAndHeldOutside) {
    const Skeleton skeleton = arm();
    const Clip clip = turn();
    const auto handAt = [&](double time) {
        return glm::vec3(globalMatrices(skeleton, samplePose(skeleton, clip, time))[1][3]);
    };
    const float cos30 = std::sqrt(3.0F) / 2;
    EXPECT_LT(glm::distance(handAt(-1), glm::vec3(1, 0, 0)), 1e-6F);
    EXPECT_LT(glm::distance(handAt(1.0 / 3), glm::vec3(cos30, 0.5F, 0)), 1e-6F);
    EXPECT_LT(glm::distance(handAt(7), glm::vec3(0, 1, 0)), 1e-6F);
}

/// Key times are rounded to single precision. Half of them are later than the frame's exact time.
TEST(Pose, StepsOfAFrameAreThoseOfItsKey) {
    constexpr std::size_t kFrames = 300;
    for (const double rate : {15.0, 24.0, 30.0, 60.0, 240.0})
        for (const double begin : {0.0, 1 / rate, 5000.0}) {
            Clip clip;
            NodeChannel<glm::vec3> keys;
            keys.style = KeyStyle::step;
            for (std::size_t frame = 0; frame < kFrames; ++frame) {
                keys.times.push_back(static_cast<float>(begin + static_cast<double>(frame) / rate));
                keys.values.emplace_back(frame, 0, 0);
            }
            clip.timelines = {keys.times};
            const Channel<glm::vec3> channel{0, Interpolation::step, keys.values};
            for (std::size_t frame = 0; frame < kFrames; ++frame) {
                const double seconds = static_cast<double>(keys.times.front()) + static_cast<double>(frame) / rate;
                EXPECT_EQ(sampleChannel(clip, channel, seconds, glm::vec3(-1)), keys.values[frame]);
                EXPECT_EQ(valueAt(keys, seconds), keys.values[frame]);
            }
        }
}

/// How other programs write steps: a key right before the next one repeats the old value.
TEST(Pose, JumpsOfAFrameAreThoseOfItsKey) {
    Clip clip;
    Channel<glm::vec3> channel{0, Interpolation::linear, {glm::vec3(0)}};
    std::vector<float> times = {0};
    for (int frame = 1; frame < 100; ++frame) {
        const auto time = static_cast<float>(frame / 30.0);
        times.insert(times.end(), {std::nextafter(time, 0.0F), time});
        channel.values.insert(channel.values.end(), {channel.values.back(), glm::vec3(static_cast<float>(frame))});
    }
    clip.timelines = {times};
    for (int frame = 0; frame < 100; ++frame)
        EXPECT_EQ(sampleChannel(clip, channel, frame / 30.0, glm::vec3(-1)).x, static_cast<float>(frame));
    EXPECT_EQ(sampleChannel(clip, channel, static_cast<double>(times[1]), glm::vec3(-1)), glm::vec3(0));
}

TEST(Pose, StepsHoldTheEarlierKey) {
    Clip clip = turn();
    setInterpolation(clip, Interpolation::step);
    EXPECT_EQ(samplePose(arm(), clip, 0.49)[0].rotation, aboutZ(0));
    EXPECT_EQ(samplePose(arm(), clip, 0.5)[0].rotation, aboutZ(45));
}

TEST(Pose, ScaleComesBeforeRotation) {
    Skeleton skeleton = arm();
    skeleton.joints[0].rest.scale = {2, 1, 1};
    skeleton.joints[0].rest.rotation = aboutZ(90);
    const glm::dvec3 lower(globalMatrices(skeleton, restPose(skeleton))[1][3]);
    EXPECT_LT(glm::distance(lower, glm::dvec3(0, 2, 0)), 1e-6);
}

TEST(Pose, HeightCountsTheEndsOfBones) {
    Skeleton skeleton = arm();
    skeleton.joints[0].rest.rotation = aboutZ(90);
    EXPECT_NEAR(verticalExtent(skeleton, restPose(skeleton)).height(), 1.5, 1e-6);
}

TEST(Compare, NamesTheWorstJointAndTime) {
    const Skeleton skeleton = arm();
    const Clip a = turn();
    Clip b = a;
    b.tracks[0].rotation.values[1] = aboutZ(55);
    const Comparison result = compareClips(skeleton, a, b);
    EXPECT_NEAR(result.angle.value, 10, 1e-4);
    EXPECT_EQ(result.angle.time, 0.5);
    EXPECT_NEAR(result.distance.value, 2 * std::sin(5 * 3.14159265 / 180), 1e-5);  // a chord of the unit circle
    EXPECT_EQ(result.distance.joint, 1U);
    EXPECT_EQ(compareClips(skeleton, a, a).distance.value, 0);
}

TEST(Compare, LooksBetweenTheKeys) {
    Clip b = turn();
    b.timelines = {{0, 1}};
    b.tracks[0].rotation.values = {aboutZ(0), aboutZ(90)};
    setInterpolation(b, Interpolation::step);
    EXPECT_NEAR(compareClips(arm(), turn(), b).angle.value, 67.5, 1e-4);  // half-way between the last two keys
}

TEST(DegreesBetween, AreExactForSmallAnglesAndTheShortWay) {
    const auto about = [](double degrees) {
        const double half = degrees * std::numbers::pi / 360;
        return glm::dquat(std::cos(half), 0, 0, std::sin(half));
    };
    EXPECT_NEAR(degreesBetween(about(10), about(10 + 1e-7)), 1e-7, 1e-13);
    EXPECT_NEAR(degreesBetween(about(-60), -about(60)), 120, 1e-12);
    EXPECT_NEAR(degreesBetween(about(0), 3.0 * about(300)), 60, 1e-12);
    EXPECT_EQ(degreesBetween(about(30), about(30)), 0);
    const glm::dmat4 turned = matrixOf({{1, 2, 3}, glm::quat(about(90)), {2, 3, 4}});
    EXPECT_NEAR(degreesBetween(glm::dmat4(1), turned), 90, 1e-5);  // a quaternion of floats
}

TEST(LoopKey, RepeatsTheFirstFrameAtFramesByRate) {
    Clip clip = turn();
    addLoopKey(clip);
    EXPECT_EQ(clip.timelines[0], (std::vector<float>{0, 0.5F, 1, 1.5F}));
    EXPECT_EQ(clip.tracks[0].rotation.values.back(), aboutZ(0));
    EXPECT_EQ(clip.duration, 1.5);
}

TEST(LoopKey, WhatEndsEarlierHoldsUpToTheLastFrame) {
    Clip clip = turn();  // 3 frames, 2 per second
    clip.timelines.push_back({0, 0.5F});
    clip.tracks[0].translation = {1, {}, {{0, 0, 0}, {3, 0, 0}}};
    addLoopKey(clip);
    EXPECT_EQ(clip.timelines[1], (std::vector<float>{0, 0.5F, 1, 1.5F}));
    EXPECT_EQ(clip.tracks[0].translation.values, (std::vector<glm::vec3>{{0, 0, 0}, {3, 0, 0}, {3, 0, 0}, {0, 0, 0}}));
    EXPECT_EQ(clip.timelines[0], (std::vector<float>{0, 0.5F, 1, 1.5F}));
}

TEST(LoopKey, KeepsTheSignContinuous) {
    Clip clip = turn();
    for (glm::quat& q : clip.tracks[0].rotation.values)
        q = aboutZ(170) * q;
    clip.tracks[0].rotation.values[2] = aboutZ(350);  // -aboutZ(-10)
    addLoopKey(clip);
    const std::vector<glm::quat>& values = clip.tracks[0].rotation.values;
    EXPECT_GE(glm::dot(values[3], values[2]), 0);
}

TEST(LoopKey, LeavesTheTravelWhereItCameTo) {
    Clip clip = turn();
    clip.travel.values = {{0, 0, 0}, {1, 0, 0}, {2, 0, 3}};
    addLoopKey(clip);
    EXPECT_EQ(clip.timelines[0], (std::vector<float>{0, 0.5F, 1, 1.5F}));
    EXPECT_EQ(clip.travel.values, (std::vector<glm::vec3>{{0, 0, 0}, {1, 0, 0}, {2, 0, 3}, {2, 0, 3}}));
}

TEST(Interpolation, IsThatOfEveryChannel) {
    Clip clip = turn();
    clip.travel.values = {{0, 0, 0}, {1, 0, 0}, {2, 0, 3}};
    setInterpolation(clip, Interpolation::step);
    EXPECT_EQ(clip.tracks[0].rotation.interpolation, Interpolation::step);
    EXPECT_EQ(sampleChannel(clip, clip.travel, 0.9, glm::vec3(0)), glm::vec3(1, 0, 0));
}

TEST(HoldToTheEnd, ClosesAClipWhoseLastFramesHaveNoKey) {
    Clip clip = turn();
    clip.frames = 5;
    clip.duration = 2;
    holdToTheEnd(clip);
    EXPECT_EQ(clip.timelines[0], (std::vector<float>{0, 0.5F, 1, 2}));
    EXPECT_EQ(clip.tracks[0].rotation.values.back(), aboutZ(90));
}

TEST(HoldToTheEnd, KeepsTheLengthOfAClipInWhichNothingMoves) {
    Clip clip = turn();
    clip.timelines.clear();
    clip.tracks[0].rotation.values = {aboutZ(30)};
    holdToTheEnd(clip);
    EXPECT_EQ(clip.timelines, (std::vector<std::vector<float>>{{0, 1}}));
    EXPECT_EQ(clip.tracks[0].rotation.values.size(), 2U);
}

TEST(HoldToTheEnd, ALoopKeyClosesTimelinesOfDifferentEnds) {
    Clip clip = turn();
    clip.frames = 5;
    clip.duration = 2;
    clip.timelines.push_back({0, 0.5F});
    clip.tracks.push_back({1, {}, {1, Interpolation::linear, {aboutZ(10), aboutZ(20)}}, {}});
    holdToTheEnd(clip);
    EXPECT_EQ(clip.timelines, (std::vector<std::vector<float>>{{0, 0.5F, 1, 2}, {0, 0.5F}}));
    addLoopKey(clip);
    EXPECT_EQ(clip.timelines, (std::vector<std::vector<float>>{{0, 0.5F, 1, 2, 2.5F}, {0, 0.5F, 2, 2.5F}}));
    EXPECT_EQ(clip.tracks[0].rotation.values,
              (std::vector<glm::quat>{aboutZ(0), aboutZ(45), aboutZ(90), aboutZ(90), aboutZ(0)}));
    EXPECT_EQ(clip.tracks[1].rotation.values, (std::vector<glm::quat>{aboutZ(10), aboutZ(20), aboutZ(20), aboutZ(10)}));
}

TEST(HoldToTheEnd, HoldsTheTravelThatSharesATimeline) {
    Clip clip = turn();
    clip.frames = 5;
    clip.duration = 2;
    clip.travel.values = {{0, 0, 0}, {1, 0, 0}, {2, 0, 3}};
    holdToTheEnd(clip);
    EXPECT_EQ(clip.timelines[0], (std::vector<float>{0, 0.5F, 1, 2}));
    EXPECT_EQ(clip.travel.values, (std::vector<glm::vec3>{{0, 0, 0}, {1, 0, 0}, {2, 0, 3}, {2, 0, 3}}));
}

TEST(HoldToTheEnd, LeavesAClipAloneWhoseTravelReachesTheEnd) {
    Clip clip = turn();
    clip.frames = 5;
    clip.duration = 2;
    clip.timelines.push_back({0, 2});
    clip.travel = {1, Interpolation::linear, {{0, 0, 0}, {2, 0, 3}}};
    holdToTheEnd(clip);
    EXPECT_EQ(clip.timelines, (std::vector<std::vector<float>>{{0, 0.5F, 1}, {0, 2}}));
    EXPECT_EQ(clip.tracks[0].rotation.values.size(), 3U);
}

TEST(HoldToTheEnd, LeavesAWholeClipAlone) {
    Clip clip = turn();
    holdToTheEnd(clip);
    EXPECT_EQ(clip.timelines[0].size(), 3U);
}

TEST(EndJoints, StandAtTheEndOfLastBones) {
    Skeleton skeleton = arm();
    addEndJoints(skeleton);
    ASSERT_EQ(skeleton.joints.size(), 3U);
    EXPECT_EQ(skeleton.joints[2].name, "lower_end");
    EXPECT_EQ(skeleton.joints[2].parent, 1);
    EXPECT_EQ(skeleton.joints[2].rest.translation, glm::vec3(0.5F, 0, 0));
}

TEST(SetRest, TakesTheClipsPoseAndKeepsOtherJoints) {
    Asset asset;
    asset.skeleton = arm();
    setRest(asset, turn(), 0.5);
    EXPECT_GT(glm::dot(asset.skeleton->joints[0].rest.rotation, aboutZ(45)), 1 - 1e-6F);
    EXPECT_EQ(asset.skeleton->joints[1].rest.translation, glm::vec3(1, 0, 0));
    EXPECT_TRUE(asset.skeleton->hasRest);
}

TEST(SetRest, LeavesWhatAClipWithoutScalesShows) {
    Asset asset;
    asset.skeleton = arm();
    Clip grown = turn();
    grown.tracks[0].scale.values = {glm::vec3(2)};
    asset.clips = {turn()};
    setRest(asset, grown, 0);
    EXPECT_EQ(asset.skeleton->joints[0].rest.scale, glm::vec3(2));
    EXPECT_EQ(samplePose(*asset.skeleton, asset.clips[0], 0)[0].scale, glm::vec3(1));
    EXPECT_FALSE(asset.clips[0].tracks[0].translation.isPresent()) << "it rests where it did";
}

TEST(FrameTimes, AreDividedNotAddedUp) {
    const std::vector<float> times = frameTimes(1000, 30);
    ASSERT_EQ(times.size(), 1000U);
    EXPECT_EQ(times[0], 0.0F);
    EXPECT_EQ(times[1], 1.0F / 30);
    EXPECT_EQ(times[999], 33.3F);
    EXPECT_EQ(frameTime(1.5, 30), 0.05F);
}

TEST(MadeUpSkeleton, HasJointsInRowsOfEightBesideTheRoot) {
    std::vector<std::string> names = {"root"};
    for (int i = 0; i < 9; ++i)
        names.push_back("bone" + std::to_string(i));
    const Skeleton skeleton = madeUpSkeleton(names, 0.5);
    EXPECT_EQ(skeleton.origin, Skeleton::Origin::madeUp);
    ASSERT_EQ(skeleton.joints.size(), 10U);
    EXPECT_EQ(skeleton.joints[0].parent, kNoParent);
    EXPECT_EQ(skeleton.joints[0].rest.translation, glm::vec3(0));
    EXPECT_EQ(skeleton.joints[1].parent, 0);
    EXPECT_EQ(skeleton.joints[1].rest.translation, glm::vec3(-1.75F, 0, 0));
    EXPECT_EQ(skeleton.joints[8].rest.translation, glm::vec3(1.75F, 0, 0));
    EXPECT_EQ(skeleton.joints[9].rest.translation, glm::vec3(-1.75F, 0.5F, 0));
    EXPECT_EQ(skeleton.joints[9].end, glm::vec3(0, 0, 0.25F));
}

TEST(ParentsFirst, MovesNothingButParents) {
    EXPECT_EQ(parentsFirst(std::vector<int>{}).order, std::vector<std::uint32_t>());
    EXPECT_EQ(parentsFirst(std::vector<int>{-1, 0, 0, -1}).order, (std::vector<std::uint32_t>{0, 1, 2, 3}));
    // 0 is a child of 3, which is a child of 2.
    EXPECT_EQ(parentsFirst(std::vector<int>{3, -1, -1, 2, 0}).order, (std::vector<std::uint32_t>{2, 3, 0, 1, 4}));
}

TEST(ParentsFirst, NamesANodeOfACircle) {
    EXPECT_EQ(parentsFirst(std::vector<int>{-1, 0}).inCircle, std::nullopt);
    EXPECT_EQ(parentsFirst(std::vector<int>{-1, 1}).inCircle, 1U);
    EXPECT_EQ(parentsFirst(std::vector<int>{1, 2, 3, 1}).inCircle, 1U);  // 0 is below the circle of 1, 2 and 3
}

TEST(ParentsFirst, ChainsMayBeLong) {
    constexpr std::uint32_t kLength = 1'000'000;
    std::vector<int> parents(kLength, kNoParent);  // every node is a child of the next one
    std::iota(parents.begin(), parents.end() - 1, 1);
    const std::vector<std::uint32_t> order = parentsFirst(parents).order;
    ASSERT_EQ(order.size(), kLength);
    EXPECT_EQ(order.front(), kLength - 1);
    EXPECT_EQ(order.back(), 0U);
}

TEST(Validate, FindsNothingInASoundAsset) { EXPECT_EQ(validate({{arm()}, {turn()}}), std::vector<std::string>()); }

TEST(Validate, NamesEveryBrokenRule) {
    const auto problemsAfter = [](const std::function<void(Asset&)>& damage) {
        Asset asset{{arm()}, {turn()}};
        damage(asset);
        const std::vector<std::string> problems = validate(asset);
        return problems.empty() ? std::string("none") : problems.front();
    };
    EXPECT_EQ(problemsAfter([](Asset& a) { a.skeleton->joints[1].name = "upper"; }),
              "joint 1: the name \"upper\" is empty or used twice");
    EXPECT_EQ(problemsAfter([](Asset& a) { a.skeleton->joints[0].parent = 1; }),
              "joint upper: parent 1 does not come before it");
    EXPECT_EQ(problemsAfter([](Asset& a) { a.skeleton->joints[0].rest.translation.x = NAN; }),
              "joint upper: the rest pose is not finite, or its rotation is not of unit length");
    EXPECT_EQ(problemsAfter([](Asset& a) { a.clips[0].name.clear(); }), "the clip name \"\" is empty or used twice");
    EXPECT_EQ(problemsAfter([](Asset& a) { a.skeleton.reset(); }), "clip turn: there is no skeleton");
    EXPECT_EQ(problemsAfter([](Asset& a) { a.clips[0].timelines[0][2] = 0.5F; }),
              "clip turn: timeline 0: time 2 does not ascend");
    EXPECT_EQ(problemsAfter([](Asset& a) { a.clips[0].timelines.emplace_back(); }), "clip turn: timeline 1 is empty");
    EXPECT_EQ(problemsAfter([](Asset& a) { a.video.emplace(); }), "a video has no name");
    EXPECT_EQ(problemsAfter([](Asset& a) { a.video.emplace().name = "intro"; }),
              "video intro: its size, number of frames or rate is 0, or it can't be opened");
    EXPECT_EQ(problemsAfter([](Asset& a) { a.clips[0].tracks[0].joint = 2; }),
              "clip turn: track 0: joint 2 does not exist or is out of order");
    EXPECT_EQ(problemsAfter([](Asset& a) { a.clips[0].tracks[0].rotation.values.pop_back(); }),
              "clip turn: rotation of upper: has 2 values for 3 key times");
    EXPECT_EQ(problemsAfter([](Asset& a) { a.clips[0].tracks[0].rotation.values[1] *= 1.01F; }),
              "clip turn: rotation of upper: key 1 is not of unit length");
    EXPECT_EQ(problemsAfter([](Asset& a) { a.clips[0].tracks[0].rotation.values[1] *= -1.0F; }),
              "clip turn: rotation of upper: key 1 changes sign");
    EXPECT_EQ(problemsAfter([](Asset& a) {
                  a.clips[0].tracks[0].translation.values = {{0, INFINITY, 0}};
              }),
              "clip turn: translation of upper: key 0 is not finite");
    EXPECT_EQ(problemsAfter([](Asset& a) {
                  a.clips[0].travel.values = {{0, 0, 0}, {1, 0, 0}};
              }),
              "clip turn: travel of the whole: has 2 values for 3 key times");
    EXPECT_EQ(problemsAfter([](Asset& a) {
                  a.clips[0].travel.values = {{0, NAN, 0}};
              }),
              "clip turn: travel of the whole: key 0 is not finite");
}

}  // namespace
}  // namespace reanima::core
