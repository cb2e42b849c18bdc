#include "formats/ff9/clips.h"

#include <map>

#include <gtest/gtest.h>

#include "core/pose.h"
#include "core/validate.h"
#include "support/bytes.h"

namespace reanima::ff9 {
namespace {

using core::Asset;

using AngleTriple = std::array<Angle, 3>;

/// A frame has one triple per bone.
Animation animationOf(const std::vector<std::vector<AngleTriple>>& frames,
                      std::array<std::int16_t, 3> translation = {}) {
    Animation animation;
    animation.frameCount = static_cast<std::uint16_t>(frames.size());
    for (const std::int16_t value : translation)
        animation.translation.add(1)[0] = value;
    for (std::size_t bone = 0; bone < frames.front().size(); ++bone)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::span<Angle> values = animation.angles.add(frames.size());
            for (std::size_t frame = 0; frame < frames.size(); ++frame)
                values[frame] = frames[frame][bone][axis];
        }
    return animation;
}

/// A chain. The first length is not used.
Model chain(const std::vector<std::int16_t>& lengths) {
    Model model;
    for (std::size_t i = 0; i < lengths.size(); ++i)
        model.bones.push_back({lengths[i], 0, static_cast<std::uint8_t>(i == 0 ? 0 : i - 1)});
    return model;
}

Asset assetOf(const Model& model, const Animation& animation, const ClipSettings& settings = {30, 1}) {
    Asset asset;
    asset.skeleton.emplace(toSkeleton(model, settings.scale));
    core::LargeSteps largeSteps;
    asset.clips.push_back(toClip(animation, "test", model.bones.size(), settings, largeSteps));
    EXPECT_EQ(core::validate(asset), std::vector<std::string>());
    return asset;
}

glm::vec3 positionOf(const Asset& asset, const char* joint, double time) {
    const core::Skeleton& skeleton = *asset.skeleton;
    return glm::vec3(core::globalMatrices(
        skeleton, core::samplePose(skeleton, asset.clips.front(), time))[*skeleton.find(joint)][3]);
}

void expectNear(const glm::vec3& got, const glm::vec3& wanted) {
    EXPECT_LT(glm::distance(got, wanted), 1e-4F) << got.x << ' ' << got.y << ' ' << got.z;
}

TEST(Clips, ABonesLengthMovesItAlongItsParentsZ) {
    // A quarter turn about X moves raw +Z to -Y, which is up, so 100 back is down. Then a quarter turn about Y moves +Z
    // to +X.
    const Asset asset =
        assetOf(chain({9, -100, 50}), animationOf({{{1024, 0, 0}, {0, 1024, 0}, {0, 0, 0}}}, {10, -20, 30}));
    expectNear(positionOf(asset, "bone000", 0), {10, 20, -30});
    expectNear(positionOf(asset, "bone001", 0), {10, -80, -30});
    expectNear(positionOf(asset, "bone002", 0), {60, -80, -30});
}

TEST(Clips, TurnAboutXFirstThenYThenZ) {
    const Asset xy = assetOf(chain({0, 100}), animationOf({{{1024, 1024, 0}, {0, 0, 0}}}));
    expectNear(positionOf(xy, "bone001", 0), {0, 100, 0});  // raw +Z -> -Y -> -Y
    const Asset yz = assetOf(chain({0, 100}), animationOf({{{0, 1024, 1024}, {0, 0, 0}}}));
    expectNear(positionOf(yz, "bone001", 0), {0, -100, 0});  // raw +Z -> +X -> +Y
    const Asset xz = assetOf(chain({0, 100}), animationOf({{{1024, 0, 1024}, {0, 0, 0}}}));
    expectNear(positionOf(xz, "bone001", 0), {100, 0, 0});  // raw +Z -> -Y -> +X
}

TEST(Clips, AreInMetresAndThirtyFramesASecondUnlessTold) {
    const Asset asset = assetOf(chain({0, 128}), animationOf({{{0, 0, 0}, {0, 0, 0}}}, {256, -458, 128}), {});
    EXPECT_EQ(positionOf(asset, "bone000", 0), glm::vec3(1, 458.0F / 256, -0.5F));
    EXPECT_EQ(positionOf(asset, "bone001", 0), glm::vec3(1, 458.0F / 256, -1));
    EXPECT_EQ(asset.clips[0].rate, 30);
}

TEST(Clips, KeysStandAtFrameByRateAndConstantsHaveOne) {
    std::vector<std::vector<AngleTriple>> frames;
    for (Angle frame = 0; frame < 40; ++frame)
        frames.push_back({{frame, 5, 0}, {7, 8, 9}});
    const core::Clip clip = assetOf(chain({0, 10}), animationOf(frames)).clips.front();
    const std::vector<float>& times = clip.timelines.at(0);
    ASSERT_EQ(times.size(), 40U);
    for (int frame = 0; frame < 40; ++frame)
        EXPECT_EQ(times[static_cast<std::size_t>(frame)], static_cast<float>(frame / 30.0));
    EXPECT_DOUBLE_EQ(clip.duration, 39 / 30.0);
    EXPECT_EQ(clip.tracks[0].rotation.values.size(), 40U);
    EXPECT_EQ(clip.tracks[0].translation.values.size(), 1U);
    EXPECT_EQ(clip.tracks[1].rotation.values.size(), 1U);  // the same in every frame, although stored for each
    EXPECT_TRUE(clip.tracks[1].translation.values.empty());
}

TEST(Clips, NeighboursHaveOneSign) {
    std::vector<std::vector<AngleTriple>> frames;
    for (int frame = 0; frame < 60; ++frame)
        frames.push_back({{static_cast<Angle>(frame * 300 % 4096), static_cast<Angle>((4090 + frame) % 4096), 0}});
    const Asset asset = assetOf(chain({0}), animationOf(frames));
    const std::vector<glm::quat>& keys = asset.clips[0].tracks[0].rotation.values;
    for (std::size_t i = 1; i < keys.size(); ++i)
        EXPECT_GT(glm::dot(keys[i], keys[i - 1]), 0.9F) << i;
}

TEST(Clips, LeaveOutBonesThatTheSkeletonLacks) {
    core::LargeSteps largeSteps;
    const core::Clip clip = toClip(animationOf({{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}), "test", 2, {}, largeSteps);
    EXPECT_EQ(clip.tracks.size(), 2U);
}

TEST(Clips, TellOfLargeSteps) {
    // players agree up to a third of a turn: 1365 units are distinguished from 1366
    const auto noteOf = [](Angle step) {
        core::LargeSteps largeSteps;
        (void)toClip(animationOf({{{0, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, step, 0}}, {{0, 0, 0}, {0, 0, 0}}}), "test",
                     2, {}, largeSteps);
        core::Diagnostics diagnostics;
        largeSteps.report(diagnostics, kStepRemedy);
        return diagnostics.warnings().empty() ? std::string() : diagnostics.warnings().front().message();
    };
    EXPECT_EQ(noteOf(1365), "");
    EXPECT_EQ(noteOf(1366),
              "note: 2 rotations exceed 120 degrees between two frames; players may interpolate "
              "them either way (largest: test, "
              "bone001, frame 1) (see option interpolation=step)");
    EXPECT_EQ(noteOf(4096 - 1365), "");
}

TEST(Skeletons, CarryWhatTheModelSays) {
    Model model = chain({9, -100, 50});
    model.neckBone = 2;
    model.height = 458;
    model.radius = 120;
    const core::Skeleton skeleton = toSkeleton(model, 1.0 / 256);
    ASSERT_EQ(skeleton.joints.size(), 3U);
    EXPECT_EQ(skeleton.joints[0].name, "bone000");
    EXPECT_EQ(skeleton.joints[0].parent, core::kNoParent);
    EXPECT_EQ(skeleton.joints[2].parent, 1);
    EXPECT_EQ(skeleton.joints[1].rest.translation, glm::vec3(0, 0, 100.0F / 256));
    EXPECT_FALSE(skeleton.hasRest);
    std::map<std::string, std::int64_t> extras;
    for (const auto& [name, value] : skeleton.extras)
        extras[name] = std::get<std::int64_t>(value.data);
    EXPECT_EQ(extras, (std::map<std::string, std::int64_t>{{"neck_bone", 2}, {"height", 458}, {"radius", 120}}));
}

TEST(Skeletons, AreMadeUpWithDistinctPlaces) {
    const core::Skeleton skeleton = madeUpSkeleton(3, 1.0 / 256);
    ASSERT_EQ(skeleton.joints.size(), 3U);
    EXPECT_EQ(skeleton.origin, core::Skeleton::Origin::madeUp);
    EXPECT_EQ(skeleton.joints[2].parent, 0);
    EXPECT_GT(glm::distance(skeleton.joints[1].rest.translation, skeleton.joints[2].rest.translation), 0.05F);
}

}  // namespace
}  // namespace reanima::ff9
