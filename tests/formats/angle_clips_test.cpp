#include "formats/angle_clips.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "formats/angle_json.h"

namespace reanima {
namespace {

const AngleFrames kTwoFrames = {{{1, 2, 3}, {1, 2, 3}}, {{100, 200, 300}, {0, 0, 0}, {100, 200, 300}, {1024, 0, 0}}};

template <AxisOrder order>
core::Clip clipFrom(double subdivide) {
    core::Clip clip = clipOf("clip", "file", 2, 10);
    core::LargeSteps largeSteps;
    AngleChannels<order> channels(kTwoFrames, {10, 0.5, subdivide}, clip, largeSteps);
    clip.tracks.push_back({0, channels.translation(), channels.rotation(0, "root"), {}});
    clip.tracks.push_back({1, {}, channels.rotation(1, "bone000"), {}});
    return clip;
}

TEST(AngleChannels, ComposeInTheirOrder) {
    const auto half = [](core::Angle angle) { return core::halfAngle(angle); };
    EXPECT_EQ(clipFrom<AxisOrder::yxz>(0).tracks[0].rotation.values.front(),
              core::axes::fromYDown(core::composeYXZ(half(100), half(200), half(300))));
    EXPECT_EQ(clipFrom<AxisOrder::zyx>(0).tracks[0].rotation.values.front(),
              core::axes::fromYDown(core::composeZYX(half(100), half(200), half(300))));
}

TEST(AngleChannels, HaveOneKeyWhereNothingChanges) {
    const core::Clip clip = clipFrom<AxisOrder::zyx>(0);
    EXPECT_EQ(clip.tracks[0].translation.values, (std::vector<glm::vec3>{{0.5F, -1, -1.5F}}));
    EXPECT_EQ(clip.tracks[0].rotation.values.size(), 1U);
    EXPECT_EQ(clip.tracks[1].rotation.values.size(), 2U);
    EXPECT_DOUBLE_EQ(clip.duration, 0.1);
}

TEST(AngleChannels, AddKeysWhereAnAngleTurnsFar) {
    EXPECT_EQ(clipFrom<AxisOrder::zyx>(30).tracks[1].rotation.values.size(), 4U);
    EXPECT_EQ(rotationKeys(kTwoFrames, 30), 1U + 4U);
}

TEST(AngleFrames, ComeBackFromJson) {
    const Json json = toJson(kTwoFrames);
    AngleFrames again;
    framesFromJson(JsonReader(json), again);
    EXPECT_EQ(again.translations, kTwoFrames.translations);
    EXPECT_EQ(again.rotations, kTwoFrames.rotations);
    EXPECT_EQ(again.triples(), 2U);
}

}  // namespace
}  // namespace reanima
