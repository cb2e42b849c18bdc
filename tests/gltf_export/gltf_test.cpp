/// The writer: what makes other programs show one armature with one action per clip, and tinygltf's defects that must
/// not come through.
#include <cmath>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <tiny_gltf.h>

#include "core/edit.h"
#include "gltf_export/gltf_builder.h"
#include "gltf_export/gltf_file.h"

namespace reanima::gltf {
namespace {

using core::Asset;
using Json = nlohmann::json;

/// A root, an arm below it, and a weapon beside the root; two clips, of which only the second moves the weapon.
Asset figure() {
    Asset asset;
    core::Skeleton& skeleton = asset.skeletons.emplace_back();
    skeleton.name = "figure";
    skeleton.joints.resize(3);
    skeleton.joints[0].name = "root";
    skeleton.joints[0].rest.translation = {0, 1, 0};
    skeleton.joints[1].name = "arm";
    skeleton.joints[1].parent = 0;
    skeleton.joints[1].rest.translation = {0.5F, 0, 0};
    skeleton.joints[1].rest.rotation = glm::angleAxis(1.0F, glm::vec3(0, 0, 1));
    skeleton.joints[2].name = "weapon000";
    for (const char* name : {"wave", "strike"}) {
        core::Clip& clip = asset.clips.emplace_back();
        clip.name = name;
        clip.source = "test";
        clip.rate = 15;
        clip.frames = 3;
        clip.duration = 2 / 15.0;
        clip.timelines = {{0, static_cast<float>(1 / 15.0), static_cast<float>(2 / 15.0)}};
        core::JointTrack& arm = clip.tracks.emplace_back();
        arm.joint = 1;
        for (const float angle : {0.0F, 0.3F, 0.6F})
            arm.rotation.values.push_back(glm::angleAxis(angle, glm::vec3(0, 0, 1)));
    }
    core::JointTrack& weapon = asset.clips[1].tracks.emplace_back();
    weapon.joint = 2;
    weapon.translation.values = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    weapon.rotation.values = {glm::quat(1, 0, 0, 0)};
    return asset;
}

struct Glb {
    Json json;
    core::ByteVector data;

    /// The floats of an accessor.
    [[nodiscard]] std::vector<float> floats(int accessor) const {
        const Json& a = json["accessors"][static_cast<std::size_t>(accessor)];
        const Json& view = json["bufferViews"][a["bufferView"].get<std::size_t>()];
        const std::size_t width = std::map<std::string, std::size_t>{
            {"SCALAR", 1}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}}[a["type"].get<std::string>()];
        std::vector<float> values(a["count"].get<std::size_t>() * width);
        std::memcpy(values.data(),
                    data.data() + view.value("byteOffset", std::size_t{0}) + a.value("byteOffset", std::size_t{0}),
                    values.size() * sizeof(float));
        return values;
    }
};

Glb parse(const core::ByteVector& bytes) {
    std::uint32_t size = 0;
    std::memcpy(&size, bytes.data() + 12, 4);
    return {Json::parse(bytes.begin() + 20, bytes.begin() + 20 + size),
            {bytes.begin() + 28 + static_cast<std::ptrdiff_t>(size), bytes.end()}};
}

Glb written(const Asset& asset, const GltfOptions& options = {}) { return parse(writeGlb(asset, options)); }

TEST(Gltf, OneIdentityContainerHoldsEveryJointAndTheSkinListsThemAll) {
    const Json json = written(figure()).json;
    EXPECT_EQ(json["scenes"][0]["nodes"], Json::array({0}));
    EXPECT_EQ(json["nodes"][0]["name"], "figure");
    EXPECT_EQ(json["nodes"][0]["children"], Json::array({1, 3}));  // the weapon lies beside the root
    for (const char* key : {"translation", "rotation", "scale", "matrix"})
        EXPECT_FALSE(json["nodes"][0].contains(key)) << key;
    EXPECT_EQ(json["skins"].size(), 1U);
    EXPECT_EQ(json["skins"][0]["joints"], Json::array({1, 2, 3}));
    EXPECT_EQ(json["skins"][0]["skeleton"], 0);
    for (const Json& node : json["nodes"])
        EXPECT_FALSE(node.contains("skin"));
}

TEST(Gltf, InverseBindMatricesUndoTheRestPose) {
    const Glb glb = written(figure());
    const std::vector<float> m = glb.floats(glb.json["skins"][0]["inverseBindMatrices"].get<int>());
    ASSERT_EQ(m.size(), 48U);
    // the arm: rotated by 1 radian about Z at (0.5, 1, 0); its inverse, by hand
    const double c = std::cos(1.0);
    const double s = std::sin(1.0);
    const std::array<double, 16> arm = {c, -s, 0, 0, s, c, 0, 0, 0, 0, 1, 0, -(c * 0.5 + s), s * 0.5 - c, 0, 1};
    for (std::size_t i = 0; i < 16; ++i)
        EXPECT_NEAR(static_cast<double>(m[16 + i]), arm[i], 1e-6) << i;
    for (std::size_t joint = 0; joint < 3; ++joint) {
        EXPECT_EQ(m[joint * 16 + 3], 0);
        EXPECT_EQ(m[joint * 16 + 15], 1);
    }
}

TEST(Gltf, TimesAreSharedAndTheirBoundsExact) {
    const Glb glb = written(figure());
    std::set<int> inputs;
    for (const Json& animation : glb.json["animations"])
        for (const Json& sampler : animation["samplers"])
            inputs.insert(sampler["input"].get<int>());
    EXPECT_EQ(inputs.size(), 2U);  // the frames, and the single 0 of constant channels
    for (const int input : inputs) {
        const std::vector<float> times = glb.floats(input);
        const Json& accessor = glb.json["accessors"][static_cast<std::size_t>(input)];
        EXPECT_EQ(accessor["min"][0].get<double>(), static_cast<double>(times.front()));
        EXPECT_EQ(accessor["max"][0].get<double>(), static_cast<double>(times.back()));
    }
    EXPECT_LE(glb.json["bufferViews"].size(), 2U);
    EXPECT_EQ(glb.json["buffers"].size(), 1U);
}

TEST(Gltf, EveryJointHasAKeyInEveryClip) {
    const Json json = written(figure()).json;
    for (const Json& animation : json["animations"]) {
        std::set<std::pair<int, std::string>> targets;
        for (const Json& channel : animation["channels"])
            EXPECT_TRUE(targets.emplace(channel["target"]["node"], channel["target"]["path"]).second);
        // the weapon's place is stated in the clip that does not move it, too
        EXPECT_EQ(targets, (std::set<std::pair<int, std::string>>{
                               {1, "rotation"}, {2, "rotation"}, {3, "rotation"}, {3, "translation"}}));
    }
}

TEST(Gltf, AnimationsWithoutChannelsAreLeftOut) {
    Asset asset = figure();
    asset.clips[0].tracks.clear();
    const Json json = written(asset).json;
    ASSERT_EQ(json["animations"].size(), 1U);
    EXPECT_EQ(json["animations"][0]["name"], "strike");
    asset.clips[1].tracks.clear();
    EXPECT_FALSE(written(asset).json.contains("animations"));  // tinygltf would write null
}

TEST(Gltf, ARigWithoutClipsHasNoEmptyView) {
    Asset asset = figure();
    asset.clips.clear();
    const Json json = written(asset).json;
    ASSERT_EQ(json["bufferViews"].size(), 1U);
    EXPECT_EQ(json["bufferViews"][0]["byteLength"], 3 * 64);
    EXPECT_EQ(json["accessors"][0]["bufferView"], 0);
}

TEST(Gltf, ExtrasKeepNullsListsAndLargeNumbers) {
    Asset asset = figure();
    asset.clips[0].counters = {
        {"large", std::uint32_t{0xFFFFFFFF}}, {"none", nullptr}, {"list", std::vector<core::Value>{1, "a"}}};
    asset.clips[0].events = {{0.25, "step", {{"type", "bool"}}}};
    const Json extras = written(asset).json["animations"][0]["extras"];
    EXPECT_EQ(extras["counters"]["large"], 4294967295U);
    EXPECT_TRUE(extras["counters"]["none"].is_null());
    EXPECT_EQ(extras["counters"]["list"], Json::array({1, "a"}));
    EXPECT_TRUE(extras["loop"].is_null());
    EXPECT_EQ(extras["events"], Json({{{"time", 0.25}, {"name", "step"}, {"type", "bool"}}}));
    EXPECT_EQ(written(asset).json["animations"][1]["extras"]["events"], Json::array());
    EXPECT_EQ(written(asset).json["scenes"][0]["extras"]["reanima"]["clips"][0], extras);
}

TEST(Gltf, NamesThatAreNotUtf8AndNumbersThatAreNoneDoNoHarm) {
    Asset asset = figure();
    asset.clips[0].name = "gr\xFC\xDF";  // Latin-1; tinygltf throws
    asset.clips[0].source = std::string("a\x01") + "null";
    asset.clips[0].counters = {{"nan", std::nan("")}};
    const Json extras = written(asset).json["animations"][0]["extras"];
    EXPECT_EQ(written(asset).json["animations"][0]["name"], "gr__");
    EXPECT_EQ(extras["source"], "a_null");
    EXPECT_TRUE(extras["counters"]["nan"].is_null());
}

TEST(Gltf, AnAssetThatIsNotValidIsRefused) {
    Asset asset = figure();
    asset.clips[0].tracks[0].rotation.values[1] *= 2.0F;
    EXPECT_THROW((void)writeGlb(asset, {}), std::invalid_argument);
    EXPECT_THROW((void)writeGlb(Asset{}, {}), std::invalid_argument);
}

TEST(Gltf, StepsAreWrittenAsSteps) {
    Asset asset = figure();
    for (core::Clip& clip : asset.clips)
        core::setInterpolation(clip, core::Interpolation::step);
    const Json json = written(asset).json;
    std::size_t moving = 0;
    for (const Json& sampler : json["animations"][1]["samplers"])
        if (json["accessors"][sampler["output"].get<std::size_t>()]["count"] > 1) {
            EXPECT_EQ(sampler["interpolation"], "STEP");
            ++moving;
        }
    EXPECT_EQ(moving, 2U);
}

TEST(Gltf, TheProxyMeshStandsBesideTheJointsAndIsSkinned) {
    const Json json = written(figure(), {true, {}, "keep"}).json;
    EXPECT_EQ(json["scenes"][0]["nodes"], Json::array({0, 4}));
    EXPECT_EQ(json["nodes"][4]["skin"], 0);
    const Json& primitive = json["meshes"][0]["primitives"][0];
    for (const char* attribute : {"POSITION", "JOINTS_0", "WEIGHTS_0"})
        EXPECT_TRUE(primitive["attributes"].contains(attribute)) << attribute;
}

TEST(Gltf, TheTextFormPercentEncodesTheBuffersName) {
    const GltfPair pair = writeGltf(figure(), {}, "a b\xC3\xBC.bin");
    const Json json = Json::parse(pair.json);
    EXPECT_EQ(json["buffers"], Json({{{"byteLength", pair.buffer.size()}, {"uri", "a%20b%C3%BC.bin"}}}));
    Json expected = written(figure()).json;
    expected["buffers"] = json["buffers"];
    EXPECT_EQ(json, expected);
}

TEST(Gltf, TinygltfReadsItBack) {
    const core::ByteVector glb = writeGlb(figure(), {true, "key", "keep"});
    tinygltf::Model model;
    std::string error;
    std::string warning;
    EXPECT_TRUE(tinygltf::TinyGLTF().LoadBinaryFromMemory(&model, &error, &warning, glb.data(),
                                                          static_cast<unsigned>(glb.size())));
    EXPECT_EQ(error + warning, "");
    EXPECT_EQ(model.animations.size(), 2U);
}

}  // namespace
}  // namespace reanima::gltf
