#include "formats/ff7/battle_clips.h"

#include <cmath>

#include <gtest/gtest.h>

#include "core/pose.h"
#include "core/validate.h"
#include "formats/ff7/battle_edits.h"
#include "support/bytes.h"

namespace reanima::ff7 {
namespace {

using core::Asset;
using core::Clip;
using test::Surroundings;

BattleAnimation animationOf(std::vector<AngleTriple> rotations, std::uint32_t rotationCount,
                            std::vector<Position> translations) {
    BattleAnimation animation;
    animation.rotationCount = rotationCount;
    animation.frames.rotations = std::move(rotations);
    animation.frames.translations = std::move(translations);
    return animation;
}

BattleSkeleton chain(std::vector<float> lengths) {
    BattleSkeleton skeleton;
    for (std::size_t i = 0; i < lengths.size(); ++i)
        skeleton.bones.push_back({static_cast<std::int32_t>(i) - 1, lengths[i], 1});
    return skeleton;
}

ClipSettings nativeUnits() {
    ClipSettings settings;
    settings.stem = "test";
    settings.scale = 1;
    return settings;
}

glm::vec3 positionOf(const Asset& asset, const Clip& clip, const char* joint, double time) {
    const core::Skeleton& skeleton = *asset.skeleton;
    return glm::vec3(core::globalMatrices(skeleton, core::samplePose(skeleton, clip, time))[*skeleton.find(joint)][3]);
}

TEST(BattleClips, ChildrenStartAtTheEndOfTheirParent) {
    // The root is rotated by 90 degrees about X: raw -Z (along the negative length) becomes raw +Y, which is down.
    BattlePack pack;
    pack.animations.push_back(animationOf({{1024, 0, 0}, {0, 0, 0}, {0, 0, 0}}, 3, {{10, -20, 30}}));
    const BattleSkeleton skeleton = chain({-100, -50});
    Surroundings surroundings;
    const Asset asset = toAsset(pack, &skeleton, nativeUnits(), surroundings.limits, surroundings.diagnostics);
    ASSERT_EQ(asset.clips.size(), 1U);
    EXPECT_EQ(core::validate(asset), std::vector<std::string>());
    EXPECT_LT(glm::distance(positionOf(asset, asset.clips[0], "root", 0), glm::vec3(10, 20, -30)), 1e-4F);
    EXPECT_LT(glm::distance(positionOf(asset, asset.clips[0], "bone000", 0), glm::vec3(10, 20, -30)), 1e-4F);
    EXPECT_LT(glm::distance(positionOf(asset, asset.clips[0], "bone001", 0), glm::vec3(10, 20 - 100, -30)), 1e-4F);
}

TEST(BattleClips, AreInMetresUnlessTold) {
    BattlePack pack;
    pack.animations.push_back(animationOf({{0, 0, 0}, {0, 0, 0}}, 2, {{512, -466, 256}}));
    const BattleSkeleton skeleton = chain({-100});
    Surroundings surroundings;
    ClipSettings settings;
    settings.stem = "rtda";
    const Asset asset = toAsset(pack, &skeleton, settings, surroundings.limits, surroundings.diagnostics);
    EXPECT_EQ(asset.clips[0].name, "rtda_000");
    EXPECT_EQ(positionOf(asset, asset.clips[0], "root", 0), glm::vec3(1, 466.0F / 512, -0.5F));
    EXPECT_EQ(asset.clips[0].rate, 15);
}

TEST(BattleClips, KeysStandAtFrameByRate) {
    std::vector<AngleTriple> rotations;
    std::vector<Position> translations;
    for (int frame = 0; frame < 40; ++frame) {
        rotations.push_back({static_cast<Angle>(frame), 0, 0});
        translations.push_back({0, 0, 0});
    }
    BattlePack pack;
    pack.animations.push_back(animationOf(rotations, 1, translations));
    Surroundings surroundings;
    const Asset asset = toAsset(pack, nullptr, nativeUnits(), surroundings.limits, surroundings.diagnostics);
    const std::vector<float>& times = asset.clips[0].timelines[asset.clips[0].tracks[0].rotation.timeline];
    ASSERT_EQ(times.size(), 40U);
    for (int frame = 0; frame < 40; ++frame)
        EXPECT_EQ(times[static_cast<std::size_t>(frame)], static_cast<float>(frame / 15.0));
    EXPECT_EQ(asset.clips[0].tracks[0].translation.values.size(), 1U);  // constant
}

TEST(BattleClips, IndicesDoNotShiftWhenAnEntryIsEmpty) {
    BattlePack pack;
    pack.animations.resize(2);
    pack.animations[0].kind = BattleAnimation::Kind::special;
    pack.animations[1].kind = BattleAnimation::Kind::damaged;
    pack.animations.push_back(animationOf({{0, 0, 0}, {0, 0, 0}}, 2, {{0, 0, 0}}));
    Surroundings surroundings;
    const Asset asset = toAsset(pack, nullptr, nativeUnits(), surroundings.limits, surroundings.diagnostics);
    ASSERT_EQ(asset.clips.size(), 1U);
    EXPECT_EQ(asset.clips[0].name, "test_002");
    EXPECT_EQ(asset.clips[0].index, 2U);
}

// ---------------------------------------------------------------------------------------------------------------------
// Weapons

BattleAnimation body(std::size_t frames) {
    BattleAnimation animation = animationOf({}, 3, {});
    for (std::size_t frame = 0; frame < frames; ++frame) {
        animation.frames.translations.push_back({0, 0, 0});
        for (int triple = 0; triple < 3; ++triple)
            animation.frames.rotations.push_back({static_cast<Angle>(frame), 0, 0});
    }
    return animation;
}

BattleAnimation weapon(std::size_t frames) {
    BattleAnimation animation = animationOf({}, 1, {});
    for (std::size_t frame = 0; frame < frames; ++frame) {
        animation.frames.translations.push_back({static_cast<std::int16_t>(100 * frame), 0, 0});
        animation.frames.rotations.push_back({0, static_cast<Angle>(frame), 0});
    }
    return animation;
}

TEST(Weapons, MoveInsideTheClipOfTheirBodyAnimation) {
    BattlePack pack;
    pack.animations = {body(4), weapon(4)};
    BattleSkeleton skeleton = chain({-10, -10});
    skeleton.bodyAnimationCount = 1;
    skeleton.weaponAnimationCount = 1;
    Surroundings surroundings;
    const Asset asset = toAsset(pack, &skeleton, nativeUnits(), surroundings.limits, surroundings.diagnostics);
    ASSERT_EQ(asset.clips.size(), 1U);
    const core::Skeleton& joints = *asset.skeleton;
    EXPECT_EQ(joints.joints.back().name, "weapon000");
    EXPECT_EQ(joints.joints.back().parent, core::kNoParent);  // in model space, beside the root
    EXPECT_LT(glm::distance(positionOf(asset, asset.clips[0], "weapon000", 2 / 15.0), glm::vec3(200, 0, 0)), 1e-3F);
}

TEST(Weapons, EndWithTheirBody) {
    BattlePack pack;
    pack.animations = {body(3), weapon(5)};
    BattleSkeleton skeleton = chain({-10, -10});
    skeleton.bodyAnimationCount = 1;
    Surroundings surroundings;
    const Asset asset = toAsset(pack, &skeleton, nativeUnits(), surroundings.limits, surroundings.diagnostics);
    EXPECT_EQ(asset.clips[0].frames, 3U);
    EXPECT_DOUBLE_EQ(asset.clips[0].duration, 2 / 15.0);
    EXPECT_EQ(core::validate(asset), std::vector<std::string>());
    EXPECT_LT(glm::distance(positionOf(asset, asset.clips[0], "weapon000", 2 / 15.0), glm::vec3(200, 0, 0)), 1e-3F);
    EXPECT_LT(glm::distance(positionOf(asset, asset.clips[0], "weapon000", 4 / 15.0), glm::vec3(200, 0, 0)), 1e-3F);
    ASSERT_EQ(surroundings.diagnostics.warnings().size(), 1U);
    EXPECT_EQ(
        surroundings.diagnostics.warnings()[0].message(),
        "warning: animations[1].frames: the weapon has 5, but the body has 3; the weapon's last frames are left out");
    pack.animations = {body(5), weapon(3)};
    const Asset longer = toAsset(pack, &skeleton, nativeUnits(), surroundings.limits, surroundings.diagnostics);
    EXPECT_EQ(longer.clips[0].frames, 5U);
    EXPECT_LT(glm::distance(positionOf(longer, longer.clips[0], "weapon000", 4 / 15.0), glm::vec3(200, 0, 0)), 1e-3F);
}

TEST(Weapons, WithoutAPartnerAreClipsOfTheirOwn) {
    BattlePack pack;
    pack.animations = {body(3), body(3), weapon(3), weapon(2)};
    pack.animations[1].kind = BattleAnimation::Kind::special;
    BattleSkeleton skeleton = chain({-10, -10});
    skeleton.bodyAnimationCount = 2;
    Surroundings surroundings;
    const Asset asset = toAsset(pack, &skeleton, nativeUnits(), surroundings.limits, surroundings.diagnostics);
    ASSERT_EQ(asset.clips.size(), 2U);
    EXPECT_EQ(asset.clips[0].name, "test_000");
    EXPECT_EQ(asset.clips[1].name, "test_003");
    EXPECT_EQ(asset.clips[1].tracks.size(), 1U);
}

TEST(Weapons, WithoutASkeletonAreClipsOfTheirOwn) {
    BattlePack pack;
    pack.animations = {body(3), weapon(3)};
    Surroundings surroundings;
    const Asset asset = toAsset(pack, nullptr, nativeUnits(), surroundings.limits, surroundings.diagnostics);
    ASSERT_EQ(asset.clips.size(), 2U);
    EXPECT_EQ(asset.skeleton->origin, core::Skeleton::Origin::madeUp);
    EXPECT_EQ(asset.skeleton->joints.size(), 4U);  // root, bone000, bone001, weapon000
    EXPECT_EQ(asset.clips[1].tracks[0].joint, 3U);
}

TEST(Weapons, AreKnownBesideABodyOfTwoTriples) {
    BattlePack pack;
    pack.animations = {animationOf({{0, 0, 0}, {0, 0, 0}}, 2, {{0, 0, 0}}), weapon(3)};
    Surroundings surroundings;
    const Asset asset = toAsset(pack, nullptr, nativeUnits(), surroundings.limits, surroundings.diagnostics);
    EXPECT_EQ(asset.skeleton->joints.size(),
              3U);  // root, bone000, weapon000: a body of one bone has one triple
    EXPECT_EQ(asset.clips[1].tracks[0].joint, 2U);
}

TEST(Weapons, GetTheFramesThatAnEditMoves) {
    BattlePack pack;
    pack.animations = {body(5), weapon(2)};
    BattleSkeleton skeleton = chain({-10, -10});
    skeleton.bodyAnimationCount = 1;
    skeleton.weaponAnimationCount = 1;
    Surroundings surroundings;
    const Asset asset = toAsset(pack, &skeleton, nativeUnits(), surroundings.limits, surroundings.diagnostics);
    core::ClipEdit edit;
    edit.frames = 5;
    edit.joints = {{static_cast<std::uint32_t>(asset.skeleton->joints.size() - 1), {}, {{4, {700, 0, 0}}}}};
    EXPECT_TRUE(applyEdits(pack, &skeleton, nativeUnits(), asset, std::vector{edit}, surroundings.diagnostics).empty());
    const std::vector<Position> expected = {{0, 0, 0}, {100, 0, 0}, {100, 0, 0}, {100, 0, 0}, {700, 0, 0}};
    EXPECT_EQ(pack.animations[1].frames.translations, expected);
    EXPECT_EQ(pack.animations[1].frames.rotations.size(), 5U);
}

TEST(MadeUpSkeletons, HaveAsManyBonesAsIsSaid) {
    BattlePack pack;
    pack.animations = {weapon(3)};  // one triple
    ClipSettings settings = nativeUnits();
    Surroundings surroundings;
    settings.bones = 1;
    Asset asset = toAsset(pack, nullptr, settings, surroundings.limits, surroundings.diagnostics);
    ASSERT_EQ(asset.skeleton->joints.size(), 2U);
    EXPECT_EQ(asset.skeleton->joints[1].name, "bone000");
    EXPECT_EQ(asset.clips[0].tracks[0].joint, 0U);
    settings.bones = 5;
    asset = toAsset(pack, nullptr, settings, surroundings.limits, surroundings.diagnostics);
    ASSERT_EQ(asset.skeleton->joints.size(), 7U);
    EXPECT_EQ(asset.skeleton->joints[6].name, "weapon000");
    EXPECT_EQ(asset.clips[0].tracks[0].joint, 6U);
}

TEST(Skeletons, OfOneBoneHaveOneTripleAndTheBoneStaysStraight) {
    BattlePack pack;
    pack.animations = {weapon(3)};  // one triple
    const BattleSkeleton skeleton = chain({-10});
    Surroundings surroundings;
    const Asset asset = toAsset(pack, &skeleton, nativeUnits(), surroundings.limits, surroundings.diagnostics);
    ASSERT_EQ(asset.clips.size(), 1U);
    EXPECT_EQ(asset.skeleton->joints.size(), 2U);
    ASSERT_EQ(asset.clips[0].tracks.size(), 1U);
    EXPECT_EQ(asset.clips[0].tracks[0].joint, 0U);
}

TEST(MadeUpSkeletons, HaveDistinctPlacesAndBonesOfSomeLength) {
    BattlePack pack;
    pack.animations = {body(2)};
    Surroundings surroundings;
    const Asset asset = toAsset(pack, nullptr, ClipSettings{}, surroundings.limits, surroundings.diagnostics);
    const std::vector<core::Joint>& joints = asset.skeleton->joints;
    EXPECT_GT(glm::distance(joints[1].rest.translation, joints[2].rest.translation), 0.05F);
    EXPECT_GT(glm::length(*joints[1].end), 0.02F);
}

// ---------------------------------------------------------------------------------------------------------------------
// Large steps

/// A blade along X, rotated by 90 degrees and by y and z at once: 270 degrees per frame about one axis.
BattlePack blade() {
    BattleAnimation animation = animationOf({}, 1, {});
    for (int frame = 0; frame < 5; ++frame) {
        animation.frames.translations.push_back({0, 0, 0});
        animation.frames.rotations.push_back(
            {1024, static_cast<Angle>(frame * 1536 & 4095), static_cast<Angle>(-frame * 1536 & 4095)});
    }
    BattlePack pack;
    pack.animations = {animation};
    return pack;
}

TEST(LargeSteps, AreReported) {
    Surroundings surroundings;
    (void)toAsset(blade(), nullptr, nativeUnits(), surroundings.limits, surroundings.diagnostics);
    ASSERT_EQ(surroundings.diagnostics.warnings().size(), 1U);
    EXPECT_EQ(surroundings.diagnostics.warnings()[0].message(),
              "note: 4 rotations exceed 120 degrees between two frames; players may interpolate "
              "them either way (largest: test_000, "
              "root, frame 1) (see option subdivide=90)");
}

TEST(Subdivide, FollowsTheAnglesInsteadOfTheShortWay) {
    ClipSettings settings = nativeUnits();
    settings.subdivide = 90;
    Surroundings surroundings;
    const Asset asset = toAsset(blade(), nullptr, settings, surroundings.limits, surroundings.diagnostics);
    const Clip& clip = asset.clips[0];
    EXPECT_EQ(core::validate(asset), std::vector<std::string>());
    const core::Channel<glm::quat>& rotation = clip.tracks[0].rotation;
    EXPECT_GE(rotation.values.size(), 5U + 4U * 2U);
    // Every frame rotates by 270 degrees, a third of a frame by 90. The direction is computed here by hand: R = Ry(y)
    // Rx(90) Rz(-y) moves the point +X of the blade, after C, on a circle in steps of 2 * 135 degrees.
    const auto tip = [&](double time) {
        return core::samplePose(*asset.skeleton, clip, time)[0].rotation * glm::vec3(1, 0, 0);
    };
    double turned = 0;
    constexpr int kSteps = 400;
    for (int step = 1; step <= kSteps; ++step) {
        const double time = clip.duration * step / kSteps;
        turned += std::acos(
            std::clamp(static_cast<double>(glm::dot(tip(time), tip(clip.duration * (step - 1) / kSteps))), -1.0, 1.0));
    }
    EXPECT_NEAR(turned * 180 / 3.14159265, 4 * 270, 1);
    // the keys of the file are still there, exactly
    const std::vector<float>& times = clip.timelines[rotation.timeline];
    for (int frame = 0; frame < 5; ++frame)
        EXPECT_NE(std::find(times.begin(), times.end(), static_cast<float>(frame / 15.0)), times.end());
}

TEST(Subdivide, KeysAreBoundedByTheLimits) {
    ClipSettings settings = nativeUnits();
    settings.subdivide = 1;
    Surroundings surroundings;
    surroundings.limits.memory = 1 << 13;
    (void)toAsset(blade(), nullptr, nativeUnits(), surroundings.limits, surroundings.diagnostics);
    try {
        (void)toAsset(blade(), nullptr, settings, surroundings.limits, surroundings.diagnostics);
        FAIL() << "converted";
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.kind(), core::DecodeError::Kind::limit);
        EXPECT_STREQ(error.what(),
                     "rotations: would need 1 MiB of memory, but the limit is 0 (see option limit-memory=MIB)");
    }
    // Every frame rotates by 135 degrees: 1 + 4 * 135 keys, of 128 bytes each.
    surroundings.limits.memory = 541 * std::uint64_t{128};
    const Asset asset = toAsset(blade(), nullptr, settings, surroundings.limits, surroundings.diagnostics);
    EXPECT_EQ(asset.clips[0].tracks[0].rotation.values.size(), 541U);
}

TEST(Subdivide, LeavesSmallStepsAlone) {
    ClipSettings settings = nativeUnits();
    settings.subdivide = 90;
    BattlePack pack;
    pack.animations = {body(6)};
    Surroundings surroundings;
    const Asset asset = toAsset(pack, nullptr, settings, surroundings.limits, surroundings.diagnostics);
    for (const core::JointTrack& track : asset.clips[0].tracks)
        EXPECT_LE(track.rotation.values.size(), 6U);
    EXPECT_EQ(asset.clips[0].timelines.size(), 1U);
}

}  // namespace
}  // namespace reanima::ff7
