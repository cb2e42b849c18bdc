/// Motion of other programs through the library, and its conversion to an asset.

#include "pipeline/foreign_motion.h"

#include <gmock/gmock.h>

#include "core/scene_asset.h"
#include "formats/format.h"
#include "formats/load.h"
#include "pipeline/pipeline.h"
#include "support/bytes.h"

namespace reanima {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

core::ByteVector bytesOf(std::string_view text) { return {text.begin(), text.end()}; }

constexpr std::string_view kCapture = R"(HIERARCHY
ROOT hip
{
  OFFSET 0 1 0
  CHANNELS 4 Yposition Zrotation Xrotation Yrotation
  End Site
  {
    OFFSET 0 0.5 0
  }
}
MOTION
Frames: 2
Frame Time: 0.033333
2 0 0 0
3 90 0 0
)";

TEST(ForeignMotion, BvhNeedsNoReader) {
    const LoadedFile file = loadBytes(bytesOf(kCapture), "walk.bvh");
    const core::Asset& asset = file.asset;
    ASSERT_EQ(asset.clips.size(), 1U);
    const core::Clip& clip = asset.clips.front();
    EXPECT_EQ(clip.name, "walk");
    EXPECT_EQ(clip.format, "bvh");
    EXPECT_EQ(clip.rate, 30);
    EXPECT_EQ(clip.frames, 2U);
    EXPECT_THAT(clip.timelines, ElementsAre(ElementsAre(0, 1.0F / 30)));
    ASSERT_EQ(clip.tracks.size(), 1U);
    EXPECT_THAT(clip.tracks[0].translation.values, ElementsAre(glm::vec3(0, 2, 0), glm::vec3(0, 3, 0)));
    const glm::quat turned = clip.tracks[0].rotation.values.at(1);
    EXPECT_NEAR(turned.z, std::sqrt(0.5), 1e-7);
    EXPECT_NEAR(turned.w, std::sqrt(0.5), 1e-7);
    EXPECT_EQ(asset.skeleton->joints.at(0).rest.translation, glm::vec3(0, 1, 0));
}

TEST(ForeignMotion, AnimationsOfMemoriaNeedNoReader) {
    const LoadedFile file = loadBytes(bytesOf(R"({"transform": [{"bone": "hip",
        "localPosition": [{"time": 0.033333, "x": 256, "y": -512, "z": 0}, {"time": 0, "x": 0, "y": -256, "z": 128}]}]})"),
                                      "109.anim");
    ASSERT_EQ(file.asset.clips.size(), 1U);
    const core::Clip& clip = file.asset.clips.front();
    EXPECT_EQ(clip.name, "109");
    EXPECT_EQ(clip.format, "memoria");
    EXPECT_EQ(clip.rate, 30);
    EXPECT_THAT(clip.timelines, ElementsAre(ElementsAre(0, 1.0F / 30)));
    ASSERT_EQ(clip.tracks.size(), 1U);
    EXPECT_THAT(clip.tracks[0].translation.values, ElementsAre(glm::vec3(0, 1, -0.5), glm::vec3(-1, 2, 0)));
}

TEST(ForeignMotion, OtherFilesAreReadByTheHost) {
    Input input{{"walk.glb", bytesOf("glTF....")}};
    asSource(input, {});
    EXPECT_EQ(input.format, nullptr);
    asSource(input,
             [](const File&, const Siblings&, const core::Limits&, core::Diagnostics&) { return core::MovingScene{}; });
    ASSERT_NE(input.format, nullptr);
    const OptionValues options;
    const core::Limits limits;
    core::Diagnostics diagnostics;
    Context context{options, limits, diagnostics};
    try {
        (void)load(input, {}, context);
        FAIL() << "a file without an animation is a source";
    } catch (const core::DecodeError& error) {
        EXPECT_THAT(error.what(),
                    HasSubstr("walk.glb: contains no animation, but it can be a rig that motion is bound to"));
    }
}

TEST(ForeignMotion, KindsAreToldByTheirBeginnings) {
    const auto labelOf = [](std::string_view head) {
        Input input{{"walk", bytesOf(head)}};
        asSource(input, [](const File&, const Siblings&, const core::Limits&, core::Diagnostics&) {
            return core::MovingScene{};
        });
        return input.format == nullptr ? std::string_view() : input.format->label;
    };
    EXPECT_EQ(labelOf("glTF...."), "glTF animations");
    EXPECT_EQ(labelOf("\xEF\xBB\xBF HIERARCHY"), "BVH motion");
    EXPECT_EQ(labelOf(R"( {"transform": []})"), "Memoria animations");
    EXPECT_EQ(labelOf("; FBX 7.4.0"), "FBX animations");
    EXPECT_EQ(labelOf("<?xml version=\"1.0\"?><COLLADA>"), "Collada animations");
    EXPECT_EQ(labelOf("hello"), "");
}

TEST(ForeignMotion, FilesOfGamesStayTheirs) {
    Input input{{"hrda", test::readBytes(test::sourceFolder() / "samples/ff7/hrda")}};
    asSource(input, {});
    EXPECT_EQ(input.format, nullptr);
    EXPECT_EQ(formatOf(input).game(), "ff7");
}

core::MovingScene twoNodes() {
    core::MovingScene moving;
    moving.scene.nodes.resize(2);
    moving.scene.nodes[0].name = "hip";
    moving.scene.nodes[1].name = "leg";
    moving.scene.nodes[1].parent = 0;
    for (core::SceneNode& node : moving.scene.nodes) {
        node.parts.emplace();
        node.isAnimated = true;
    }
    moving.scene.fieldOf = [](std::uint32_t) { return "node"; };
    return moving;
}

core::Asset madeOf(core::MovingScene moving, const core::SceneAssetSettings& settings = {}) {
    core::Diagnostics diagnostics;
    return core::assetOf(std::move(moving), settings, {}, diagnostics);
}

TEST(SceneAsset, StepsHoldTheirValues) {
    core::MovingScene moving = twoNodes();
    const auto place = [](float x) { return glm::vec3(x, 0, 0); };
    moving.motions = {{"run", {{1, {core::KeyStyle::step, {0, 1, 2}, {place(1), place(2), place(2)}}, {}, {}}}}};
    const core::Clip clip = madeOf(moving).clips.at(0);
    EXPECT_THAT(clip.timelines, ElementsAre(ElementsAre(0, std::nextafter(1.0F, 0.0F), 1, 2)));
    EXPECT_THAT(clip.tracks.at(0).translation.values, ElementsAre(place(1), place(1), place(2), place(2)));
}

TEST(SceneAsset, StepsThatBeginEarlyHoldTheirValues) {
    core::MovingScene moving = twoNodes();
    const auto place = [](float x) { return glm::vec3(x, 0, 0); };
    moving.motions = {
        {"run",
         {{1, {core::KeyStyle::step, {-100, 0.1F, 0.6F, 1.1F}, {place(0), place(40), place(90), place(10)}}, {}, {}}}}};
    const core::Clip clip = madeOf(moving).clips.at(0);
    const auto before = [](float time) { return std::nextafter(time, 0.0F); };
    EXPECT_THAT(clip.timelines.at(0),
                ElementsAre(0, before(100.1F), 100.1F, before(100.6F), 100.6F, before(101.1F), 101.1F));
    EXPECT_THAT(clip.tracks.at(0).translation.values,
                ElementsAre(place(0), place(0), place(40), place(40), place(90), place(90), place(10)));
}

TEST(SceneAsset, TimesBeyondAllFloatsAreRefused) {
    core::MovingScene moving = twoNodes();
    moving.motions = {{"run", {{0, {core::KeyStyle::linear, {-3e38F, 3e38F}, {glm::vec3(0), glm::vec3(1)}}, {}, {}}}}};
    try {
        (void)madeOf(moving);
        FAIL() << "read";
    } catch (const core::DecodeError& error) {
        // twice 3e38, which is 299999995...e30 as a float
        EXPECT_STREQ(error.what(),
                     "animations[0]: lasts 6.0000000109955115e+38 s at 24 frames per second, expected a duration that "
                     "fits a 32-bit float");
    }
}

TEST(SceneAsset, WhatBeginsEarlyIsMovedToTheBeginning) {
    core::MovingScene moving = twoNodes();
    moving.motions = {{"run", {{0, {core::KeyStyle::linear, {-1, 0.5F}, {glm::vec3(0), glm::vec3(1)}}, {}, {}}}}};
    const core::Clip clip = madeOf(moving, {.scale = 10}).clips.at(0);
    EXPECT_THAT(clip.timelines, ElementsAre(ElementsAre(0, 1.5F)));
    EXPECT_EQ(clip.duration, 1.5);
    EXPECT_EQ(clip.tracks.at(0).translation.values.at(1), glm::vec3(10));
}

TEST(SceneAsset, WhatMovesNoJointIsLeftOut) {
    core::MovingScene moving = twoNodes();
    moving.scene.nodes.emplace_back().name = "camera";
    moving.scene.nodes[2].hasContent = true;
    moving.motions = {{"shake", {{2, {core::KeyStyle::linear, {0, 1}, {glm::vec3(0), glm::vec3(1)}}, {}, {}}}}};
    EXPECT_TRUE(madeOf(moving).clips.empty());
}

}  // namespace
}  // namespace reanima
