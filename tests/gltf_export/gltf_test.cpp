/// The writer. Other programs must show one armature with one action per clip, and defects of tinygltf must not appear.
#include <cmath>
#include <random>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <tiny_gltf.h>

#include "core/decode_error.h"
#include "core/edit.h"
#include "gltf_export/glb_chunks.h"
#include "gltf_export/gltf_builder.h"
#include "gltf_export/gltf_file.h"
#include "support/doll.h"

namespace reanima::gltf {
namespace {

using core::Asset;
using Json = nlohmann::json;

/// The doll's skeleton with two clips. Only the second one moves the weapon.
Asset figure() {
    Asset asset;
    asset.skeleton = test::doll().skeleton;
    asset.skeleton->name = "figure";
    asset.skeleton->joints[1].rest.rotation = glm::angleAxis(1.0F, glm::vec3(0, 0, 1));  // not along an axis
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
    EXPECT_EQ(json["nodes"][0]["children"], Json::array({1, 3}));  // the weapon is beside the root
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
        // the weapon's position is also stated in the clip that does not move it
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

TEST(Gltf, NamesThatAreNotUtf8AndNumbersThatAreNotFiniteDoNoHarm) {
    Asset asset = figure();
    asset.clips[0].name = "gr\xFC\xDF";  // Latin-1; tinygltf throws
    asset.clips[0].source = std::string("a\x01") + "null";
    asset.clips[0].counters = {{"nan", std::nan("")}};
    asset.skeleton->joints[1].name = "\xFF\n";
    const Json extras = written(asset).json["animations"][0]["extras"];
    EXPECT_EQ(written(asset).json["animations"][0]["name"], "gr__");
    EXPECT_EQ(written(asset).json["nodes"][2]["name"], "_\n");
    EXPECT_EQ(extras["source"],
              "a\x01"
              "null");
    EXPECT_TRUE(extras["counters"]["nan"].is_null());
}

TEST(Gltf, AnAssetThatIsNotValidIsRefused) {
    Asset asset = figure();
    asset.clips[0].tracks[0].rotation.values[1] *= 2.0F;
    const auto messageFor = [](const Asset& refused) -> std::string {
        try {
            (void)writeGlb(refused, {});
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
        return "none";
    };
    EXPECT_EQ(messageFor(asset).rfind("the asset is not valid: clip ", 0), 0U);
    EXPECT_EQ(messageFor(Asset{}),
              "a glTF file needs exactly one of these: a skeleton with joints, meshes without a skeleton, or a video");
}

TEST(Gltf, FilesThatAreTooLargeAreRefused) {
    const auto messageOf = [](const auto& build) -> std::string {
        try {
            build();
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
        return "none";
    };
    EXPECT_EQ(messageOf([] { requireReadableSize(0x7FFFFFFF); }), "none");
    EXPECT_EQ(messageOf([] { requireReadableSize(0x80000000); }),
              "the file would have more than 2 GiB. Convert fewer clips at once");
    const core::ByteVector mebibyte(1 << 20);  // referred to many times
    const auto glbOf = [&](int mebibytes) {
        ByteBlocks data;
        for (int i = 0; i < mebibytes; ++i)
            data.refer(mebibyte);
        return makeGlb({}, std::move(data)).size();
    };
    EXPECT_EQ(glbOf(4095), 28U + (4095ULL << 20U));
    EXPECT_EQ(messageOf([&] { (void)glbOf(4096); }), "the file would have 4 GiB or more. Convert fewer clips at once");
}

/// Any number of black pictures of 2 x 2 pixels.
core::Asset blackVideo(std::uint32_t count) {
    class Black : public core::PictureCursor {
      public:
        std::span<const core::Pixel555> picture(std::uint32_t) override { return pixels_; }

      private:
        std::array<core::Pixel555, 4> pixels_{};
    };
    Asset asset;
    core::ImageSequence& images = asset.video.emplace();
    images.name = "black";
    images.width = images.height = 2;
    images.count = count;
    images.open = [] { return std::make_unique<Black>(); };
    return asset;
}

TEST(Gltf, AFlipbookOfTooManyPicturesIsRefused) {
    try {
        (void)writeGlb(blackVideo(65536), {});
        FAIL();
    } catch (const std::invalid_argument& error) {
        EXPECT_STREQ(error.what(), "65536 frames are more than the 65535 that one file may have");
    }
}

TEST(Gltf, PagesOfAFlipbookTakeNoMoreThanTheLimit) {
    core::Limits limits;
    limits.memory = 10;  // the signature of a PNG and two bytes
    try {
        (void)makeGlbFile(blackVideo(1), {}, limits);
        FAIL();
    } catch (const core::DecodeError& error) {
        EXPECT_STREQ(
            error.what(),
            "the pages of the flip-book: would need 1 MiB of memory, but the limit is 0 (see option limit-memory=MIB)");
        EXPECT_EQ(error.kind(), core::DecodeError::Kind::limit);
    }
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
    const Json json = written(figure(), {true, {}}).json;
    EXPECT_EQ(json["scenes"][0]["nodes"], Json::array({0, 4}));
    EXPECT_EQ(json["nodes"][4]["skin"], 0);
    const Json& primitive = json["meshes"][0]["primitives"][0];
    for (const char* attribute : {"POSITION", "JOINTS_0", "WEIGHTS_0"})
        EXPECT_TRUE(primitive["attributes"].contains(attribute)) << attribute;
}

TEST(Gltf, TheTextFormPercentEncodesTheBuffersName) {
    const GltfPair pair = writeGltf(figure(), {}, "a b\xC3\xBC.bin");
    const Json json = Json::parse(pair.json);
    EXPECT_EQ(
        json["buffers"],
        Json({{{"name", bufferHash(pair.buffer)}, {"uri", "a%20b%C3%BC.bin"}, {"byteLength", pair.buffer.size()}}}));
    Json expected = written(figure()).json;
    expected["buffers"] = json["buffers"];
    EXPECT_EQ(json, expected);
}

TEST(Gltf, ABufferIsCalledByTheXxh3OfItsBytes) {
    EXPECT_EQ(bufferHash({}), "xxh3-2d06800538d394c2");  // the published value for no bytes
    const core::ByteVector zero(1);
    EXPECT_NE(bufferHash(zero), bufferHash({}));
}

TEST(Gltf, WhatGltfAssumesIsNotWritten) {
    const Json json = written(figure(), {true, {}}).json;
    for (const Json& animation : json["animations"])
        for (const Json& sampler : animation["samplers"])
            EXPECT_FALSE(sampler.contains("interpolation"));
    EXPECT_FALSE(json["meshes"][0]["primitives"][0].contains("mode"));
    EXPECT_FALSE(json["bufferViews"][0].contains("byteOffset"));
    EXPECT_FALSE(json["accessors"][0].contains("normalized"));
}

TEST(Gltf, NumbersAreReadAsTheyWere) {
    Asset asset = figure();
    const std::array<double, 6> doubles = {0.1, 1.0 / 3, 1e-310, 1.7976931348623157e308, 123456789012345680, -5e-324};
    std::vector<core::Value> values(doubles.begin(), doubles.end());
    asset.clips[0].counters = {{"doubles", values}, {"smallest", std::int64_t{-2147483648}}};
    asset.skeleton->joints[1].rest.translation = {0.1F, 1e-40F, 16777217.0F};
    const Json json = written(asset).json;
    const Json& counters = json["animations"][0]["extras"]["counters"];
    for (std::size_t i = 0; i < doubles.size(); ++i)
        EXPECT_EQ(counters["doubles"][i].get<double>(), doubles[i]);
    EXPECT_TRUE(counters["smallest"].is_number_integer());
    const glm::vec3& translation = asset.skeleton->joints[1].rest.translation;
    for (int axis = 0; axis < 3; ++axis)
        EXPECT_EQ(json["nodes"][2]["translation"][static_cast<std::size_t>(axis)].get<double>(),
                  static_cast<double>(translation[axis]));
}

TEST(Gltf, OfTwoExtrasOfOneNameTheFirstIsWritten) {
    Asset asset = figure();
    asset.clips[0].events = {{0.25, "step", {{"name", "other"}}}};
    const core::ByteVector glb = writeGlb(asset, {});
    const std::string_view text(reinterpret_cast<const char*>(glb.data()), glb.size());  // NOLINT: text is bytes
    EXPECT_NE(text.find(R"("events":[{"time":0.25,"name":"step"}])"), text.npos);
}

TEST(Gltf, TheTextFormHasALinePerMember) {
    Asset asset = figure();
    asset.clips[0].source = R"(a\"{[,]}:\)";
    asset.clips[0].counters = {{"list", std::vector<core::Value>{1, "a"}}};
    const GltfPair pair = writeGltf(asset, {}, "x.bin");
    EXPECT_NE(pair.json.find("\n      \"joints\": [1, 2, 3],\n"), std::string::npos);
    EXPECT_NE(pair.json.find("\n        \"events\": [],\n"), std::string::npos);
    EXPECT_NE(pair.json.find("\n          \"list\": [1, \"a\"]\n"), std::string::npos);
    EXPECT_EQ(Json::parse(pair.json)["animations"][0]["extras"]["source"], asset.clips[0].source);
    EXPECT_TRUE(pair.json.starts_with("{\n  \"asset\": {\n"));
    EXPECT_TRUE(pair.json.ends_with("\n}\n"));
}

TEST(Gltf, AFileInPartsIsTheSame) {
    GltfFile file = makeGlbFile(figure(), {});
    core::ByteVector together;
    std::uint64_t left = file.bytes.size();
    file.bytes.drain([&](core::Bytes part) {
        together.insert(together.end(), part.begin(), part.end());
        left -= part.size();
    });
    EXPECT_EQ(left, 0U);
    EXPECT_EQ(file.bytes.size(), 0U);
    EXPECT_EQ(together, writeGlb(figure(), {}));
}

// ---------------------------------------------------------------------------------------------------------------------
// Compact files

/// The rotation that four normalized shorts represent (glTF 2.0, 3.11), of unit length.
glm::dquat fromShorts(const Glb& glb, std::size_t accessor, std::size_t key) {
    const Json& a = glb.json["accessors"][accessor];
    const Json& view = glb.json["bufferViews"][a["bufferView"].get<std::size_t>()];
    std::array<std::int16_t, 4> c{};
    std::memcpy(c.data(),
                glb.data.data() + view.value("byteOffset", std::size_t{0}) + a.value("byteOffset", std::size_t{0}) +
                    key * sizeof c,
                sizeof c);
    const auto decoded = [](std::int16_t component) { return std::max(component / 32767.0, -1.0); };
    return glm::normalize(glm::dquat(decoded(c[3]), decoded(c[0]), decoded(c[1]), decoded(c[2])));
}

TEST(CompactGltf, RotationsAreNormalizedShortsNoFurtherOffThanReported) {
    Asset asset = figure();
    std::vector<glm::quat>& rotations = asset.clips[0].tracks[0].rotation.values;
    std::mt19937 random(7);
    std::normal_distribution<double> component;
    asset.clips[0].timelines[0].clear();
    rotations.clear();
    for (int key = 0; key < 2000; ++key) {
        const glm::quat drawn(
            glm::normalize(glm::dquat(component(random), component(random), component(random), component(random))));
        rotations.push_back(!rotations.empty() && glm::dot(drawn, rotations.back()) < 0 ? -drawn : drawn);
        asset.clips[0].timelines[0].push_back(static_cast<float>(key));
    }
    GltfFile file = makeGlbFile(asset, {false, "key", true});
    const double reported = file.rotationError;
    const Glb glb = parse(std::move(file.bytes).joined());
    const std::size_t sampler = glb.json["animations"][0]["channels"][1]["sampler"].get<std::size_t>();
    const std::size_t output = glb.json["animations"][0]["samplers"][sampler]["output"].get<std::size_t>();
    EXPECT_EQ(glb.json["accessors"][output]["componentType"], 5122);
    EXPECT_EQ(glb.json["accessors"][output]["normalized"], true);
    double worst = 0;
    for (std::size_t key = 0; key < rotations.size(); ++key) {
        const glm::dquat apart =
            glm::conjugate(glm::normalize(glm::dquat(rotations[key]))) * fromShorts(glb, output, key);
        worst = std::max(worst, glm::degrees(2 * std::asin(glm::length(glm::dvec3(apart.x, apart.y, apart.z)))));
    }
    EXPECT_NEAR(worst, reported, 1e-9);
    EXPECT_GT(worst, 0.001);
    EXPECT_LT(worst, 0.0036);  // four components, each off by half of 1/32767: 2 * asin(1/32767) = 0.0035 degrees
}

TEST(CompactGltf, EqualValuesAreStoredOnce) {
    const Json json = written(figure(), {false, {}, true}).json;
    std::set<std::size_t> rests;
    for (const Json& animation : json["animations"]) {
        std::set<std::pair<int, int>> samplers;
        for (const Json& sampler : animation["samplers"])
            EXPECT_TRUE(samplers.emplace(sampler["input"], sampler["output"]).second);
        for (const Json& channel : animation["channels"])  // neither the root nor the weapon rotates
            if (channel["target"]["path"] == "rotation" && channel["target"]["node"] != 2)
                rests.insert(animation["samplers"][channel["sampler"].get<std::size_t>()]["output"].get<std::size_t>());
    }
    EXPECT_EQ(rests.size(), 1U);
    // times 0 and frames, one turn of the arm, no turn, two places of the weapon, and the inverse bind matrices
    EXPECT_EQ(json["accessors"].size(), 7U);
}

/// The text with zeros for the digits of its own hash.
std::string blanked(std::string text, const std::string& hash) {
    return text.replace(text.find(hash), hash.size(), "xxh3-0000000000000000");
}

TEST(Gltf, AFileHoldsAHashOfItself) {
    for (const bool compact : {false, true}) {
        const GltfOptions options{true, "some key", compact};
        const GltfFile made = makeGlbFile(figure(), options);
        const core::ByteVector bytes = writeGlb(figure(), options);
        const std::string blank = blanked({bytes.begin(), bytes.end()}, made.hash);
        EXPECT_EQ(bufferHash(core::ByteVector(blank.begin(), blank.end())), made.hash);
        EXPECT_EQ(parse(bytes).json["scenes"][0]["extras"]["reanima"]["hash"], made.hash);
        const std::string text = writeGltf(figure(), options, "a.bin").json;
        const std::string own = Json::parse(text)["scenes"][0]["extras"]["reanima"]["hash"].get<std::string>();
        const std::string blankText = blanked(text, own);
        EXPECT_EQ(bufferHash(core::ByteVector(blankText.begin(), blankText.end())), own);
        EXPECT_NE(own, made.hash);
    }
    EXPECT_EQ(makeGlbFile(figure(), {true}).hash, "");
}

TEST(CompactGltf, OnlyTheContentKeyAndTheHashRemainOfTheExtras) {
    Json json = written(figure(), {true, "some key", true}).json;
    const std::string hash = makeGlbFile(figure(), {true, "some key", true}).hash;
    EXPECT_EQ(json["scenes"][0]["extras"], Json({{"reanima", {{"key", "some key"}, {"hash", hash}}}}));
    json["scenes"][0].erase("extras");
    EXPECT_EQ(json.dump().find("extras"), std::string::npos);
    EXPECT_EQ(written(figure(), {true, {}, true}).json.dump().find("extras"), std::string::npos);
}

TEST(CompactGltf, StepsOfEqualValuesStaySteps) {
    Asset asset = figure();
    asset.clips[0].tracks.push_back(asset.clips[0].tracks[0]);
    asset.clips[0].tracks[1].joint = 2;
    asset.clips[0].tracks[1].rotation.interpolation = core::Interpolation::step;
    const Json animation = written(asset, {false, {}, true}).json["animations"][0];
    std::map<int, Json> samplers;
    for (const Json& channel : animation["channels"])
        if (channel["target"]["path"] == "rotation")
            samplers[channel["target"]["node"]] = animation["samplers"][channel["sampler"].get<std::size_t>()];
    EXPECT_EQ(samplers[2]["output"], samplers[3]["output"]);
    EXPECT_FALSE(samplers[2].contains("interpolation"));
    EXPECT_EQ(samplers[3]["interpolation"], "STEP");
}

// ---------------------------------------------------------------------------------------------------------------------
// Beside another tinygltf

TEST(Gltf, AProgramKeepsItsOwnTinygltf) {
    const core::ByteVector ours = writeGlb(figure(), {true, "key"});
    const auto read = [](const core::ByteVector& glb) {
        tinygltf::Model model;
        std::string error;
        std::string warning;
        EXPECT_TRUE(tinygltf::TinyGLTF().LoadBinaryFromMemory(&model, &error, &warning, glb.data(),
                                                              static_cast<unsigned>(glb.size())));
        EXPECT_EQ(error + warning, "");
        return model;
    };
    const tinygltf::Model model = read(ours);
    EXPECT_EQ(model.animations.size(), 2U);
    std::ostringstream stream;
    EXPECT_TRUE(tinygltf::TinyGLTF().WriteGltfSceneToStream(&model, stream, false, true));
    const std::string theirs = stream.str();
    EXPECT_EQ(read({theirs.begin(), theirs.end()}), model);
    EXPECT_EQ(writeGlb(figure(), {true, "key"}), ours);
}

}  // namespace
}  // namespace reanima::gltf
