/// Changes to whole clips: other keys, other root motion.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/edit.h"
#include "core/pose.h"
#include "core/reduce.h"
#include "core/resample.h"
#include "core/root_motion.h"
#include "core/validate.h"
#include "formats/load.h"
#include "support/bytes.h"

namespace reanima::core {
namespace {

Asset assetOf(const std::string& path) {
    test::Surroundings s;
    const Input input = test::inputFrom(test::sourceFolder() / path);
    return loadWithRest(input, {}, s.context);
}

glm::quat aboutY(double degrees) {
    const double half = degrees * 3.14159265358979323846 / 360;
    return glm::quat(glm::dquat(std::cos(half), 0, std::sin(half), 0));
}

/// A root that walks 1 m along X and rotates by 90 degrees in four frames of a tenth of a second. A weapon in model
/// space moves with it.
Asset walker(std::optional<bool> loop) {
    Asset asset;
    Skeleton& skeleton = asset.skeleton.emplace();
    skeleton.name = "s";
    for (const auto& [name, parent] : {std::pair{"root", -1}, {"hand", 0}, {"weapon", -1}}) {
        Joint& joint = skeleton.joints.emplace_back();
        joint.name = name;
        joint.parent = parent;
    }
    skeleton.joints[0].rest.translation = {0, 1, 0};
    skeleton.joints[1].rest.translation = {0, 0.5F, 0};
    Clip& clip = asset.clips.emplace_back();
    clip.name = "walk";
    clip.rate = 10;
    clip.frames = 4;
    clip.duration = 0.3;
    clip.loop = loop;
    clip.timelines = {frameTimes(4, 10)};
    JointTrack root{0, {}, {}, {}};
    JointTrack weapon{2, {}, {}, {}};
    for (int i = 0; i < 4; ++i) {
        const auto x = static_cast<float>(i) / 3;
        root.translation.values.emplace_back(x, 1 + x, 2 * x);
        root.rotation.values.push_back(aboutY(30 * i));
        weapon.translation.values.emplace_back(x + 1, 3, 2 * x);
    }
    clip.tracks = {root, weapon};
    return asset;
}

TEST(Resample, NeedsARate) {
    for (const double rate : {0.0, -1.0, std::numeric_limits<double>::infinity()})
        try {
            resample({}, rate, Limits{});
            FAIL() << rate;
        } catch (const std::invalid_argument& error) {
            EXPECT_STREQ(error.what(), "resample: the rate must be above 0");
        }
}

TEST(Resample, KeysStandAtTheNewRateAlongTheArc) {
    Clip clip = walker({}).clips.front();
    resample({&clip, 1}, 40, Limits{});
    ASSERT_EQ(clip.timelines.size(), 1U);
    EXPECT_EQ(clip.timelines[0], frameTimes(13, 40));
    EXPECT_EQ(clip.frames, 13U);
    EXPECT_NEAR(glm::dot(clip.tracks[0].rotation.values[2], aboutY(15)), 1, 1e-6);
    EXPECT_NEAR(clip.tracks[0].translation.values[2].x, 1.0 / 6, 1e-6);
    EXPECT_NEAR(clip.duration, 0.3, 1e-7);
}

TEST(Resample, AnEndBetweenTwoStepsKeepsItsKey) {
    Clip clip = walker({}).clips.front();
    resample({&clip, 1}, 8, Limits{});
    EXPECT_EQ(clip.timelines[0], (std::vector<float>{0, 0.125F, 0.25F, 0.3F}));
    EXPECT_EQ(clip.tracks[0].translation.values.back(), glm::vec3(1, 2, 2));
}

TEST(Resample, ALoopHasNoSeam) {
    Asset asset = walker(true);
    Clip& clip = asset.clips.front();
    resample({&clip, 1}, 40, Limits{});
    // 0.4 s until the first frame is shown again: 16 keys, and the 16th step leads back to the first frame.
    EXPECT_EQ(clip.timelines[0], frameTimes(16, 40));
    EXPECT_EQ(clip.frames, 16U);
    const std::vector<glm::quat>& turns = clip.tracks[0].rotation.values;
    EXPECT_NEAR(glm::dot(turns[14], aboutY(45)), 1, 1e-6);
    EXPECT_NEAR(std::abs(glm::dot(turns[15], turns[0])), std::cos(11.25 * 3.14159265358979 / 180), 1e-6);
    addLoopKey(clip);
    EXPECT_NEAR(clip.duration, 0.4, 1e-9);
    EXPECT_TRUE(validate(asset).empty());
}

/// A walker whose root motion, 3 m along X and 6 m along Z, has keys only at its start and its end.
Asset traveller(std::optional<bool> loop) {
    Asset asset = walker(loop);
    asset.clips.front().timelines.push_back({0, 0.3F});
    asset.clips.front().travel = {1, Interpolation::linear, {{0, 0, 0}, {3, 0, 6}}};
    return asset;
}

TEST(Resample, TravelHasKeysAtTheNewRateToo) {
    Asset asset = traveller({});
    Clip& clip = asset.clips.front();
    resample({&clip, 1}, 20, Limits{});
    EXPECT_EQ(clip.timelines, std::vector<std::vector<float>>{frameTimes(7, 20)});
    EXPECT_TRUE(validate(asset).empty());
    ASSERT_EQ(clip.travel.values.size(), 7U);
    for (int key = 0; key < 7; ++key) {  // 0.5 m along X and 1 m along Z in a twentieth of a second
        const auto twentieths = static_cast<float>(key);
        EXPECT_NEAR(
            glm::distance(clip.travel.values[static_cast<std::size_t>(key)], glm::vec3(twentieths / 2, 0, twentieths)),
            0, 1e-5);
    }
}

TEST(Resample, TravelOfALoopRestsInTheStepBackToTheFirstFrame) {
    Asset asset = traveller(true);
    Clip& clip = asset.clips.front();
    resample({&clip, 1}, 20, Limits{});
    EXPECT_TRUE(validate(asset).empty());
    ASSERT_EQ(clip.travel.values.size(), 8U);  // 0.4 s until the first frame is shown again, without a key
    EXPECT_NEAR(glm::distance(clip.travel.values[5], glm::vec3(2.5F, 0, 5)), 0, 1e-5);
    EXPECT_NEAR(glm::distance(clip.travel.values[7], glm::vec3(3, 0, 6)), 0, 1e-5);
}

TEST(Reduce, TravelKeepsItsKeys) {
    Asset asset = traveller({});
    Clip& clip = asset.clips.front();
    clip.timelines.push_back({0, 0.125F, 0.3F});
    clip.travel = {2, Interpolation::linear, {{0, 0, 0}, {1, 0, 0}, {3, 0, 6}}};
    const Reduction result = reduceKeys(*asset.skeleton, clip, 0.001);
    EXPECT_EQ(result.keysAfter, 6U);
    EXPECT_TRUE(validate(asset).empty());
    EXPECT_EQ(clip.timelines.at(clip.travel.timeline), (std::vector<float>{0, 0.125F, 0.3F}));
    EXPECT_EQ(clip.travel.values, (std::vector<glm::vec3>{{0, 0, 0}, {1, 0, 0}, {3, 0, 6}}));
}

TEST(Resample, KeysOfAllClipsTogetherAreBoundedBeforeAnyIsMade) {
    std::vector<Clip> clips = {walker({}).clips.front(), walker(true).clips.front()};
    Limits limits;
    limits.memory = 2U << 20U;
    resample(clips, 1000, limits);
    EXPECT_EQ(clips[0].frames, 301U);
    EXPECT_EQ(clips[1].frames, 400U);
    clips = {walker({}).clips.front(), walker(true).clips.front()};
    clips[1].duration = clips[1].frames / 1e-3;
    clips[1].rate = 1e-3;
    try {
        resample(clips, 60, limits);
        FAIL() << "resampled";
    } catch (const DecodeError& error) {
        EXPECT_EQ(error.kind(), DecodeError::Kind::limit);
        // 4 frames of 1000 s at 60 per second: 240000 keys in the times and in each of three channels.
        EXPECT_STREQ(
            error.what(),
            "keys at 60 per second: would need 118 MiB of memory, but the limit is 2 (see option limit-memory=MIB)");
    }
    EXPECT_EQ(clips[0].frames, 4U);
    EXPECT_EQ(clips[0].timelines, walker({}).clips.front().timelines);
}

TEST(Reduce, AStraightLineNeedsTwoKeys) {
    Asset asset = walker({});
    const Reduction result = reduceKeys(*asset.skeleton, asset.clips.front(), 0.001);
    EXPECT_EQ(result.keysBefore, 12U);
    EXPECT_EQ(result.keysAfter, 6U);  // constant speed in each of the three channels
    EXPECT_LT(result.worst, 1e-5);
    EXPECT_TRUE(validate(asset).empty());
}

TEST(Reduce, KeysStayLikewiseInCentimetres) {
    Asset metres = walker({});
    std::vector<glm::vec3>& way = metres.clips.front().tracks[1].translation.values;
    way[1].y += 0.02F;
    way[2].y -= 0.0005F;
    Asset centimetres = metres;
    Skeleton& skeleton = *centimetres.skeleton;  // the weapon is below a joint with a scale of 1/100
    skeleton.joints.insert(skeleton.joints.begin(), Joint{"scene", kNoParent, {{}, {1, 0, 0, 0}, glm::vec3(0.01F)}});
    for (std::size_t joint = 1; joint < skeleton.joints.size(); ++joint) {
        ++skeleton.joints[joint].parent;
        skeleton.joints[joint].rest.translation *= 100;
    }
    for (JointTrack& track : centimetres.clips.front().tracks) {
        ++track.joint;
        for (glm::vec3& place : track.translation.values)
            place *= 100;
    }
    const Reduction a = reduceKeys(*metres.skeleton, metres.clips.front(), 0.001);
    const Reduction b = reduceKeys(skeleton, centimetres.clips.front(), 0.001);
    EXPECT_EQ(a.keysAfter, b.keysAfter);
    EXPECT_LT(a.keysAfter, a.keysBefore);
    EXPECT_NEAR(a.worst, b.worst, 1e-6);
}

TEST(Reduce, LongClipsAreReducedPieceByPiece) {
    Asset asset;
    Skeleton& skeleton = asset.skeleton.emplace();
    for (int i = 0; i < 64; ++i) {
        Joint& joint = skeleton.joints.emplace_back();
        joint.name = "joint" + std::to_string(i);
        joint.rest.translation.y = static_cast<float>(i);
    }
    Clip& clip = asset.clips.emplace_back();
    clip.name = "long";
    clip.frames = 5000;
    clip.timelines = {frameTimes(5000, 32)};
    clip.duration = 4999.0 / 32;
    JointTrack& track = clip.tracks.emplace_back();
    track.joint = 63;
    for (int i = 0; i < 5000; ++i)
        track.translation.values.emplace_back(static_cast<float>(i) / 1024, 0, 0);
    const Reduction result = reduceKeys(skeleton, clip, 0.001);
    EXPECT_LE(result.keysAfter, 4U);  // a straight line in three pieces
    EXPECT_LT(result.worst, 1e-5);
    EXPECT_EQ(clip.timelines[0].front(), 0);
    EXPECT_EQ(clip.timelines[0].back(), 4999.0F / 32);
    EXPECT_TRUE(validate(asset).empty());
}

/// Joints that rotate evenly, except at one of their six keys, so three keys stay.
/// @param lists number of consecutive joints of which each has that key at a different time
Asset kinked(std::uint32_t joints, std::uint32_t lists, std::size_t clips) {
    Asset asset;
    Skeleton& skeleton = asset.skeleton.emplace();
    for (std::uint32_t i = 0; i < joints; ++i) {
        Joint& joint = skeleton.joints.emplace_back();
        joint.name = "joint" + std::to_string(i);
        joint.end = glm::vec3(1, 0, 0);
    }
    for (std::size_t c = 0; c < clips; ++c) {
        Clip& clip = asset.clips.emplace_back();
        clip.name = "clip" + std::to_string(c);
        clip.rate = 10;
        clip.frames = 6;
        clip.duration = 0.5;
        clip.timelines = {frameTimes(6, 10)};
        for (std::uint32_t joint = 0; joint < joints; ++joint) {
            JointTrack& track = clip.tracks.emplace_back();
            track.joint = joint;
            const int kink = 1 + static_cast<int>(joint % lists);
            for (int key = 0; key < 6; ++key)
                track.rotation.values.push_back(aboutY(key <= kink ? key * 10 : kink * 10 + (key - kink) * 2));
        }
    }
    return asset;
}

TEST(Reduce, ClipsThatWouldTakeMoreRoomStay) {
    // 8 x 3 removed keys save 384 bytes, but four lists of times instead of one need more.
    Asset few = kinked(8, 4, 1);
    const std::vector<Reduction> kept = reduceWhereSmaller(*few.skeleton, few.clips, 0.001);
    ASSERT_EQ(kept.size(), 1U);
    EXPECT_EQ(kept.front().keysAfter, 48U);
    EXPECT_EQ(kept.front().worst, 0);
    EXPECT_EQ(few.clips.front().timelines.size(), 1U);
    EXPECT_EQ(few.clips.front().tracks.back().rotation.values.size(), 6U);

    Asset many = kinked(20, 4, 1);
    EXPECT_EQ(reduceWhereSmaller(*many.skeleton, many.clips, 0.001).front().keysAfter, 60U);
    EXPECT_EQ(many.clips.front().timelines.size(), 4U);
    EXPECT_TRUE(validate(many).empty());
    many = kinked(20, 4, 1);
    EXPECT_EQ(reduceWhereSmaller(*many.skeleton, many.clips, 0.001, 6).front().keysAfter, 120U);
}

TEST(Reduce, TimesThatOtherClipsUseSaveNothing) {
    Asset alone = kinked(2, 1, 1);
    EXPECT_EQ(reduceWhereSmaller(*alone.skeleton, alone.clips, 0.001).front().keysAfter, 6U);
    Asset pair = kinked(2, 1, 2);
    const std::vector<Reduction> kept = reduceWhereSmaller(*pair.skeleton, pair.clips, 0.001);
    EXPECT_EQ(kept.front().keysAfter, 12U);  // 6 removed keys save less memory than a further list of times needs
    EXPECT_EQ(kept.back().keysAfter, 12U);
}

/// A file, and the largest share of its keys that may stay. Few more keys can be removed: with all others in place,
/// removing a single one exceeds the tolerance for 62, 58, 78 and 77 of 100 keys.
struct Capture {
    const char* path;
    double share;
};
void PrintTo(const Capture& capture, std::ostream* out) { *out << capture.path; }
class RealMotion : public testing::TestWithParam<Capture> {};

TEST_P(RealMotion, AMillimetreLeavesOutManyKeys) {
    Asset asset = assetOf(GetParam().path);
    const Skeleton& skeleton = *asset.skeleton;
    const double height = verticalExtent(skeleton, restPose(skeleton)).height();
    const double millimetre = height * 0.001 / 1.8;  // on a figure of 1.8 m
    std::size_t before = 0;
    std::size_t after = 0;
    for (Clip& clip : asset.clips) {
        const Clip original = clip;
        const Reduction result = reduceKeys(skeleton, clip, millimetre);
        before += result.keysBefore;
        after += result.keysAfter;
        EXPECT_LE(result.worst, millimetre);
        EXPECT_LE(result.mean, result.worst);
        EXPECT_LE(compareClips(skeleton, original, clip).distance.value, millimetre * 1.001);
    }
    RecordProperty("kept", std::to_string(100.0 * static_cast<double>(after) / static_cast<double>(before)));
    EXPECT_LE(static_cast<double>(after), GetParam().share * static_cast<double>(before));
    EXPECT_TRUE(validate(asset).empty());
}

INSTANTIATE_TEST_SUITE_P(All, RealMotion,
                         testing::Values(Capture{"tests/data/motion/cmu_01_01/metroid/ma_0.ANIM", 0.69},
                                         Capture{"tests/data/motion/cmu_01_01/metroid/ma_4.ANIM", 0.66},
                                         Capture{"tests/data/motion/cmu_01_03/metroid/mb_0.ANIM", 0.80},
                                         Capture{"tests/data/motion/cmu_01_01/ff9/ma_0.ff9anim", 0.82}));

/// The position of a joint in model space, at a key.
glm::vec3 placeOf(const Asset& asset, std::size_t joint, double time) {
    const Skeleton& skeleton = *asset.skeleton;
    return glm::vec3(globalMatrices(skeleton, samplePose(skeleton, asset.clips.front(), time))[joint][3]);
}

TEST(RootMotionInPlace, TakesOutTheRootMotion) {
    const Asset before = walker({});
    Asset asset = before;
    applyRootMotion(*asset.skeleton, asset.clips.front(), RootMotion::inPlace);
    for (const double time : {0.0, 0.1, 0.25, 0.3}) {
        EXPECT_NEAR(placeOf(asset, 0, time).x, 0, 1e-6);
        EXPECT_NEAR(placeOf(asset, 0, time).z, 0, 1e-6);
        EXPECT_NEAR(placeOf(asset, 0, time).y, placeOf(before, 0, time).y, 1e-6);
        EXPECT_NEAR(placeOf(asset, 2, time).x, 1, 1e-6);
        EXPECT_NEAR(placeOf(asset, 2, time).y, 3, 1e-6);
    }
    EXPECT_FALSE(asset.clips.front().travel.isPresent());
}

/// Ground, hips that are always at (2, 1, 3), and a target of inverse kinematics that moves beside them.
Asset standingAside() {
    Asset asset = walker({});
    Skeleton& skeleton = *asset.skeleton;
    skeleton.joints.clear();
    for (const auto& [name, parent] : {std::pair("ground", kNoParent), std::pair("ik", 0), std::pair("hips", 0)}) {
        Joint joint;
        joint.name = name;
        joint.parent = parent;
        skeleton.joints.push_back(joint);
    }
    Clip& clip = asset.clips.front();
    clip.timelines = {{0, 0.3F}};
    clip.tracks.clear();
    JointTrack ik;
    ik.joint = 1;
    ik.translation.values = {{2, 0, 3}, {2, 0.5F, 3}};
    JointTrack hips;
    hips.joint = 2;
    hips.translation.values = {{2, 1, 3}};
    clip.tracks = {ik, hips};
    return asset;
}

TEST(RootMotionInPlace, PutsAGivenRootAboveTheOriginThatNeverMoves) {
    Asset asset = standingAside();
    applyRootMotion(*asset.skeleton, asset.clips.front(), RootMotion::inPlace, {2U, 0U});
    EXPECT_NEAR(glm::distance(placeOf(asset, 0, 0.3), glm::vec3(0)), 0, 1e-6);
    EXPECT_NEAR(glm::distance(placeOf(asset, 1, 0.3), glm::vec3(0, 0.5F, 0)), 0, 1e-6);
    EXPECT_NEAR(glm::distance(placeOf(asset, 2, 0.3), glm::vec3(0, 1, 0)), 0, 1e-6);
}

TEST(RootMotionExtract, MovesAJointOnTheGround) {
    Asset asset = standingAside();
    applyRootMotion(*asset.skeleton, asset.clips.front(), RootMotion::extract, {2U, 0U});
    EXPECT_FALSE(asset.clips.front().travel.isPresent());
    EXPECT_NEAR(glm::distance(placeOf(asset, 0, 0.3), glm::vec3(2, 0, 3)), 0, 1e-6);
    EXPECT_NEAR(glm::distance(placeOf(asset, 1, 0.3), glm::vec3(2, 0.5F, 3)), 0, 1e-6);
    EXPECT_NEAR(glm::distance(placeOf(asset, 2, 0.3), glm::vec3(2, 1, 3)), 0, 1e-6);
    EXPECT_TRUE(validate(asset).empty());
}

TEST(RootMotionDrop, LeavesTheRootAtRest) {
    Asset asset = walker({});
    applyRootMotion(*asset.skeleton, asset.clips.front(), RootMotion::drop);
    for (const double time : {0.0, 0.15, 0.3})
        EXPECT_NEAR(glm::distance(placeOf(asset, 0, time), glm::vec3(0, 1, 0)), 0, 1e-6);
}

TEST(RootMotionExtract, PutsTheWayAside) {
    const Asset before = walker({});
    Asset asset = before;
    Clip& clip = asset.clips.front();
    applyRootMotion(*asset.skeleton, clip, RootMotion::extract);
    ASSERT_TRUE(clip.travel.isAnimated());
    for (const double time : {0.0, 0.1, 0.3})
        for (const std::size_t joint : {0U, 1U, 2U}) {
            const glm::vec3 travel = sampleChannel(clip, clip.travel, time, glm::vec3(0));
            EXPECT_NEAR(glm::distance(placeOf(asset, joint, time) + travel, placeOf(before, joint, time)), 0, 1e-6);
        }
    EXPECT_TRUE(validate(asset).empty());
}

TEST(RootMotionKeep, ChangesNothing) {
    const Asset before = walker({});
    Asset asset = before;
    applyRootMotion(*asset.skeleton, asset.clips.front(), RootMotion::keep);
    EXPECT_EQ(asset.clips.front().tracks[0].translation.values, before.clips.front().tracks[0].translation.values);
}

}  // namespace
}  // namespace reanima::core
