/// Animations added to files of other programs. Everything else must survive, character by character.
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gltf_export/glb_chunks.h"
#include "gltf_export/gltf_patch.h"
#include "gltf_export/json_text.h"
#include "support/files.h"

namespace reanima::gltf {
namespace {

using Json = nlohmann::json;

std::string textOf(const core::ByteVector& glb) {
    std::uint32_t size = 0;
    std::memcpy(&size, glb.data() + 12, 4);
    return {glb.begin() + 20, glb.begin() + 20 + static_cast<std::ptrdiff_t>(size)};
}

core::ByteVector dataOf(const core::ByteVector& glb) {
    return {glb.begin() + static_cast<std::ptrdiff_t>(28 + textOf(glb).size()), glb.end()};
}

std::string memberText(const std::string& json, std::string_view key) {
    const std::vector<JsonMember> members = membersOf(json, wholeValue(json));
    const JsonMember* member = memberNamed(members, key);
    return member == nullptr ? "" : std::string(member->value.in(json));
}

/// Two joints below a container with a matrix, a triangle, an animation, and unusual content: numbers in other
/// spellings, unknown extensions, extras, double spaces.
std::string hero(const std::string& buffer) {
    return R"({ "asset" : {"version":"2.0","generator":"by hand","extras":{"x":1.50e+00}},
 "scene":0, "scenes":[{"name":"stage","nodes":[0,3],"extras":{"mood":"dark"}}],
 "extensionsUsed":["EXT_nobody_knows"],
 "extensions":{"EXT_nobody_knows":{"value":0.1000000000000000055511151231257827,"big":123456789012345678901}},
 "nodes":[{"name":"Armature","matrix":[0,0,-1,0, 0,1,0,0, 1,0,0,0, 0,0,2,1],"children":[1]},
  {"name":"hips","matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,1.0,0,1],"children":[2],"extras":{"keep":[1.00]}},
  {"name":"chest","translation":[0,0.500,0]},{"name":"body","mesh":0,"skin":0}],
 "meshes":[{"primitives":[{"attributes":{"POSITION":0,"JOINTS_0":2,"WEIGHTS_0":3}}]}],
 "skins":[{"joints":[1,2],"inverseBindMatrices":1}],
 "animations":[{"name":"wave","channels":[{"sampler":0,"target":{"node":2,"path":"translation"}}],
  "samplers":[{"input":4,"output":5}]}],
 "accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":3,"min":[0,0,0],"max":[1,1,0]},
  {"bufferView":1,"componentType":5126,"type":"MAT4","count":2},
  {"bufferView":2,"componentType":5121,"type":"VEC4","count":3},
  {"bufferView":3,"componentType":5126,"type":"VEC4","count":3},
  {"bufferView":4,"componentType":5126,"type":"SCALAR","count":1,"min":[0],"max":[0]},
  {"bufferView":5,"componentType":5126,"type":"VEC3","count":1}],
 "bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":36,"target":34962},{"buffer":0,"byteOffset":36,"byteLength":128},
  {"buffer":0,"byteOffset":164,"byteLength":12,"target":34962},{"buffer":0,"byteOffset":176,"byteLength":48,"target":34962},
  {"buffer":0,"byteOffset":224,"byteLength":4},{"buffer":0,"byteOffset":228,"byteLength":12}],
 "buffers":[)" +
           buffer + "] }";
}

core::ByteVector heroData() {
    // positions; matrices that undo hips and chest in the world (the armature turns a quarter about Y at z = 2)
    std::vector<float> values = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    for (const float height : {1.0F, 1.5F})
        values.insert(values.end(), {0, 0, 1, 0, 0, 1, 0, 0, -1, 0, 0, 0, 2, -height, 0, 1});
    core::ByteVector data(240, 0);
    std::memcpy(data.data(), values.data(), values.size() * sizeof(float));
    const std::vector<float> weights = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    std::memcpy(data.data() + 176, weights.data(), 48);
    const std::array<float, 3> place = {0, 0.5F, 0};
    std::memcpy(data.data() + 228, place.data(), 12);
    return data;
}

core::ByteVector heroGlb() { return makeGlb(hero(R"({"byteLength":240,"name":"all"})"), heroData()); }

core::Clip nod(const char* name, std::uint32_t joint) {
    core::Clip clip;
    clip.name = name;
    clip.rate = 2;
    clip.frames = 2;
    clip.duration = 0.5;
    clip.timelines = {{0, 0.5F}};
    core::JointTrack& track = clip.tracks.emplace_back();
    track.joint = joint;
    track.rotation.values = {glm::quat(1, 0, 0, 0), glm::quat(0.8F, 0.6F, 0, 0)};
    return clip;
}

struct Patched {
    core::ByteVector glb;
    std::string text;
    Json json;
    std::vector<std::string> warnings;
};

Patched patched(const GltfInput& input, const std::vector<core::Clip>& clips, const GltfOptions& options = {},
                const std::vector<core::Joint>& further = {}) {
    core::Diagnostics diagnostics;
    Rig rig = readRig(input, {}, diagnostics);
    rig.skeleton.joints.insert(rig.skeleton.joints.end(), further.begin(), further.end());
    Patched result;
    result.glb = addAnimations(input, rig, clips, options, {}, diagnostics).bytes.joined();
    result.text = textOf(result.glb);
    result.json = Json::parse(result.text);
    for (const core::Warning& warning : diagnostics.warnings())
        result.warnings.push_back(warning.message());
    return result;
}

TEST(GltfPatch, EverythingElseStaysCharacterByCharacter) {
    const core::ByteVector before = heroGlb();
    const Patched after = patched({before, "hero.glb"}, {nod("nod", 2)});
    const std::string text = textOf(before);
    for (const char* key : {"asset", "scene", "extensionsUsed", "extensions", "meshes", "skins"})
        EXPECT_EQ(memberText(after.text, key), memberText(text, key)) << key;
    for (const char* key : {"accessors", "bufferViews"}) {  // only longer
        const std::string was = memberText(text, key);
        EXPECT_EQ(memberText(after.text, key).substr(0, was.size() - 1), was.substr(0, was.size() - 1)) << key;
    }
    EXPECT_TRUE(memberText(after.text, "animations").ends_with("," + memberText(text, "animations").substr(1)));
    const core::ByteVector data = dataOf(before);
    EXPECT_TRUE(std::equal(data.begin(), data.end(), dataOf(after.glb).begin()));
    EXPECT_EQ(after.json["buffers"],
              Json::parse(fmt::format(R"([{{"byteLength":{},"name":"all"}}])", dataOf(after.glb).size())));
    EXPECT_EQ(after.warnings, std::vector<std::string>{});
}

/// The same file without the unknown extension.
core::ByteVector plainGlb() {
    std::string json = hero(R"({"byteLength":240})");
    const std::string used = R"("EXT_nobody_knows"])";
    json.replace(json.find(used), used.size(), R"("KHR_materials_unlit"])");
    const std::size_t begin = json.find(R"("extensions":{)");
    const std::string_view end = "}},";
    json.erase(begin, json.find(end, begin) + end.size() - begin);
    return makeGlb(json, heroData());
}

TEST(GltfPatch, AnimationsTakeThePlaceOfTheOthersAndOfTheirData) {
    const core::ByteVector before = plainGlb();
    const Patched after = patched({before, "hero.glb"}, {nod("wave", 2)}, {.replacesAnimations = true});
    ASSERT_EQ(after.json["animations"].size(), 1U);
    EXPECT_EQ(after.json["animations"][0]["name"], "wave");
    const std::string text = textOf(before);
    for (const char* key : {"asset", "scene", "extensionsUsed", "extensions", "meshes", "skins"})
        EXPECT_EQ(memberText(after.text, key), memberText(text, key)) << key;
    const Json was = Json::parse(text);
    const Json& accessors = after.json["accessors"];
    const Json& views = after.json["bufferViews"];
    for (const std::size_t kept : {0U, 1U, 2U, 3U}) {
        EXPECT_EQ(accessors[kept], was["accessors"][kept]);
        EXPECT_EQ(views[kept], was["bufferViews"][kept]);
    }
    // 224 bytes belong to the mesh and the skin. The first of the two free views contains all the new data.
    const core::ByteVector data = dataOf(after.glb);
    const core::ByteVector old = dataOf(before);
    EXPECT_TRUE(std::equal(old.begin(), old.begin() + 224, data.begin()));
    EXPECT_EQ(views.size(), 6U);
    EXPECT_GE(views[4]["byteOffset"].get<std::size_t>(), 224U);
    EXPECT_EQ(views[4]["byteOffset"].get<std::size_t>() + views[4]["byteLength"].get<std::size_t>(), data.size());
    EXPECT_EQ(views[5], Json({{"buffer", 0}, {"byteLength", 1}}));
    for (const Json& sampler : after.json["animations"][0]["samplers"])
        for (const char* end : {"input", "output"})
            EXPECT_EQ(accessors[sampler[end].get<std::size_t>()]["bufferView"], 4) << end;
}

TEST(GltfPatch, AnimationsAreNotReplacedByNothing) {
    const core::ByteVector before = plainGlb();
    try {
        (void)patched({before, "hero.glb"}, {}, {.replacesAnimations = true});
        FAIL() << "not refused";
    } catch (const std::invalid_argument& error) {
        EXPECT_STREQ(error.what(), "there are no clips to replace the animations with");
    }
}

TEST(GltfPatch, DataThatOthersUseTooStay) {
    std::string json = textOf(plainGlb());
    const std::string attribute = R"("POSITION":0,)";  // the mesh uses the keys of the animation as an attribute
    json.replace(json.find(attribute), attribute.size(), R"("POSITION":0,"_HELD":5,)");
    const core::ByteVector before = makeGlb(json, heroData());
    const Patched after = patched({before, "hero.glb"}, {nod("wave", 2)}, {.replacesAnimations = true});
    EXPECT_EQ(after.json["accessors"][5], Json::parse(json)["accessors"][5]);
    const std::size_t at = after.json["bufferViews"][5]["byteOffset"].get<std::size_t>();
    const core::ByteVector data = dataOf(after.glb);
    const core::ByteVector old = heroData();
    EXPECT_TRUE(std::equal(old.begin() + 228, old.end(), data.begin() + static_cast<std::ptrdiff_t>(at)));
}

TEST(GltfPatch, WhereAnExtensionMayUseDataTheyStay) {
    const core::ByteVector before = heroGlb();
    const Patched after = patched({before, "hero.glb"}, {nod("wave", 2)}, {.replacesAnimations = true});
    EXPECT_EQ(after.json["animations"].size(), 1U);
    const core::ByteVector data = dataOf(before);
    EXPECT_TRUE(std::equal(data.begin(), data.end(), dataOf(after.glb).begin()));
    EXPECT_EQ(after.json["accessors"][5], Json::parse(textOf(before))["accessors"][5]);
}

TEST(GltfPatch, AnimationsComeBeforeThoseThatAreThere) {
    const core::ByteVector before = heroGlb();
    const Json json = patched({before, "hero.glb"}, {nod("wave", 2), nod("nod", 1)}).json;
    ASSERT_EQ(json["animations"].size(), 3U);
    EXPECT_EQ(json["animations"][0]["name"], "wave_2");
    EXPECT_EQ(json["animations"][1]["name"], "nod");
    EXPECT_EQ(json["animations"][2]["name"], "wave");
    // In each clip the skin's joints have a key. The armature has none, since no clip moves it.
    for (const std::size_t clip : {0U, 1U}) {
        std::set<int> nodes;
        for (const Json& channel : json["animations"][clip]["channels"])
            nodes.insert(channel["target"]["node"].get<int>());
        EXPECT_EQ(nodes, (std::set<int>{1, 2}));
    }
    EXPECT_EQ(json["scenes"][0]["extras"]["mood"], "dark");
    EXPECT_EQ(json["scenes"][0]["extras"]["reanima"]["clips"][0]["name"], "wave_2");
    EXPECT_EQ(json["scenes"][0]["extras"]["reanima"]["clips"][1]["name"], "nod");
}

TEST(GltfPatch, KeysStandWhereTheAccessorsSay) {
    const core::ByteVector before = heroGlb();
    const Patched after = patched({before, "hero.glb"}, {nod("nod", 2)});
    const core::ByteVector data = dataOf(after.glb);
    const auto floats = [&](const Json& accessorIndex, std::size_t count) {
        const Json& accessor = after.json["accessors"][accessorIndex.get<std::size_t>()];
        const Json& view = after.json["bufferViews"][accessor["bufferView"].get<std::size_t>()];
        std::vector<float> values(count);
        std::memcpy(values.data(), data.data() + view.value("byteOffset", 0U) + accessor.value("byteOffset", 0U),
                    count * sizeof(float));
        return values;
    };
    for (const Json& channel : after.json["animations"][1]["channels"]) {
        const Json& sampler = after.json["animations"][1]["samplers"][channel["sampler"].get<std::size_t>()];
        if (channel["target"]["path"] == "translation") {  // the file's own animation moves the chest: back to its rest
            EXPECT_EQ(channel["target"]["node"], 2);
            EXPECT_EQ(floats(sampler["output"], 3), (std::vector<float>{0, 0.5F, 0}));
        } else if (channel["target"]["node"] == 2) {
            EXPECT_EQ(floats(sampler["input"], 2), (std::vector<float>{0, 0.5F}));
            EXPECT_EQ(floats(sampler["output"], 8), (std::vector<float>{0, 0, 0, 1, 0.6F, 0, 0, 0.8F}));
        } else {
            EXPECT_EQ(floats(sampler["output"], 4), (std::vector<float>{0, 0, 0, 1}));
        }
    }
}

TEST(GltfPatch, AMatrixOfAnAnimatedNodeBecomesItsParts) {
    const core::ByteVector before = heroGlb();
    const Json json = patched({before, "hero.glb"}, {nod("nod", 2)}).json;
    EXPECT_TRUE(json["nodes"][0].contains("matrix"));  // no key, no change
    EXPECT_FALSE(json["nodes"][1].contains("matrix"));
    EXPECT_EQ(json["nodes"][1]["translation"], Json::array({0, 1, 0}));
    EXPECT_EQ(json["nodes"][1]["rotation"], Json::array({0, 0, 0, 1}));
    EXPECT_EQ(json["nodes"][1]["scale"], Json::array({1, 1, 1}));
    const Json turned = patched({before, "hero.glb"}, {nod("nod", 0)}).json;
    ASSERT_FALSE(turned["nodes"][0].contains("matrix"));
    EXPECT_NEAR(turned["nodes"][0]["rotation"][1].get<double>(), 0.70710678, 1e-7);  // a quarter about Y
}

TEST(GltfPatch, TheRootMotionMovesTheNodeAboveTheJoints) {
    core::Clip clip = nod("walk", 2);
    clip.travel.values = {{0, 0, 0}, {3, 0, 1}};
    const Patched after = patched({heroGlb(), "hero.glb"}, {clip, nod("nod", 2)});
    EXPECT_FALSE(after.json["nodes"][0].contains("matrix"));
    const auto placesIn = [&](std::size_t animation) {
        std::vector<float> values;
        for (const Json& channel : after.json["animations"][animation]["channels"]) {
            if (channel["target"]["node"] != 0)
                continue;
            EXPECT_EQ(channel["target"]["path"], "translation");
            const Json& sampler =
                after.json["animations"][animation]["samplers"][channel["sampler"].get<std::size_t>()];
            const Json& accessor = after.json["accessors"][sampler["output"].get<std::size_t>()];
            const Json& view = after.json["bufferViews"][accessor["bufferView"].get<std::size_t>()];
            values.resize(3 * accessor["count"].get<std::size_t>());
            const core::ByteVector data = dataOf(after.glb);
            std::memcpy(values.data(), data.data() + view.value("byteOffset", 0U) + accessor.value("byteOffset", 0U),
                        values.size() * sizeof(float));
        }
        return values;
    };
    // The armature is at z = 2. Its own rotation does not rotate the displacement.
    EXPECT_EQ(placesIn(0), (std::vector<float>{0, 0, 2, 3, 0, 3}));
    EXPECT_EQ(placesIn(1), (std::vector<float>{0, 0, 2}));
}

TEST(GltfPatch, WithoutANodeAboveTheJointsThereIsNoRootMotion) {
    core::Clip clip = nod("walk", 0);  // the armature itself moves
    clip.travel.values = {{0, 0, 0}, {3, 0, 1}};
    try {
        (void)patched({heroGlb(), "hero.glb"}, {clip});
        FAIL() << "patched";
    } catch (const core::DecodeError& error) {
        EXPECT_STREQ(
            error.what(),
            "hero.glb: has no node above its joints that can carry the root motion. Put the joints below an empty node "
            "(see option root-motion=in-place)");
    }
}

TEST(GltfPatch, JointsThatAreAddedBesideTheOthersAllowNoRootMotion) {
    core::Clip clip = nod("walk", 2);
    clip.travel.values = {{0, 0, 0}, {3, 0, 1}};
    core::Joint pet;
    pet.name = "pet";
    try {
        (void)patched({heroGlb(), "hero.glb"}, {clip}, {}, {pet});
        FAIL() << "patched";
    } catch (const core::DecodeError& error) {
        EXPECT_STREQ(error.what(),
                     "hero.glb: pet would be added outside the rig's joints and would not follow the root motion (see "
                     "option root-motion=in-place)");
    }
}

TEST(GltfPatch, TextFilesAndTheirBuffersBecomeOneGlb) {
    std::string json = hero(R"({"uri":"hero.bin","byteLength":240},{"uri":"more.bin","byteLength":12})");
    const std::string view = R"({"buffer":0,"byteOffset":228,)";
    json.replace(json.find(view), view.size(), R"({"buffer":1,)");
    const core::ByteVector bytes(json.begin(), json.end());
    const Patched after =
        patched({bytes, "hero.gltf", test::siblingsBy([](std::string_view path) {
                     return std::optional(path == "hero.bin" ? heroData()
                                                             : core::ByteVector{1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0});
                 })},
                {nod("nod", 2)});
    EXPECT_EQ(after.json["buffers"].size(), 1U);
    EXPECT_FALSE(after.json["buffers"][0].contains("uri"));
    EXPECT_EQ(after.json["bufferViews"][5]["buffer"], 0);
    EXPECT_EQ(after.json["bufferViews"][5]["byteOffset"], 240 + 0);
    EXPECT_EQ(dataOf(after.glb).at(242), 3);
    const core::ByteVector data = heroData();
    EXPECT_TRUE(std::equal(data.begin(), data.end(), dataOf(after.glb).begin()));
}

TEST(GltfPatch, OneByteOrderMarkIsReadAndTwoAreNot) {
    const std::string mark = "\xEF\xBB\xBF";
    const std::string json = hero(R"({"uri":"hero.bin","byteLength":240})");
    const auto patchedText = [](const std::string& text) {
        return patched({core::ByteVector(text.begin(), text.end()), "hero.gltf",
                        test::siblingsBy([](std::string_view) { return std::optional(heroData()); })},
                       {nod("nod", 2)});
    };
    EXPECT_EQ(patchedText(mark + json).json["animations"].size(), patchedText(json).json["animations"].size());
    try {
        (void)patchedText(mark + mark + json);
        FAIL() << "patched";
    } catch (const core::DecodeError& error) {
        EXPECT_STREQ(error.what(), "hero.gltf: json at 0x0: begins with two byte order marks");
    }
}

TEST(GltfPatch, PicturesComeAlongAndWhatIsNotFoundIsNamed) {
    std::string json = hero(R"({"uri":"hero.bin","byteLength":240})");
    json.insert(json.rfind('}'), R"(,"images":[{"uri":"a.png"},{"uri":"../b.png"}])");
    const core::ByteVector bytes(json.begin(), json.end());
    const Patched after = patched({bytes, "hero.gltf", test::siblingsBy([](std::string_view path) {
                                       return std::optional(path == "hero.bin" ? heroData() : core::ByteVector{1});
                                   })},
                                  {nod("nod", 2)});
    EXPECT_EQ(after.json["images"][0], Json::parse(R"({"mimeType":"image/png","bufferView":7})"));
    const auto place = after.json["bufferViews"][7]["byteOffset"].get<std::size_t>();
    EXPECT_EQ(after.json["bufferViews"][7]["byteLength"], 1);
    EXPECT_EQ(dataOf(after.glb)[place], 1);
    EXPECT_EQ(after.json["images"][1]["uri"], "../b.png");
    EXPECT_EQ(after.warnings, (std::vector<std::string>{"hero.gltf: warning: images[1].uri: the file \"../b.png\" "
                                                        "can't be read; the output still refers to it"}));
}

TEST(GltfPatch, AFileWithoutBuffersGetsOne) {
    const std::string json =
        R"({"asset":{"version":"2.0"},"nodes":[{"name":"hips"}],"skins":[{"joints":[0]}],"scenes":[{"nodes":[0]}]})";
    const core::ByteVector bytes(json.begin(), json.end());
    const Patched after = patched({bytes, "bare.gltf"}, {nod("nod", 0)});
    EXPECT_EQ(after.json["buffers"][0]["byteLength"].get<std::size_t>(), dataOf(after.glb).size());
    EXPECT_EQ(after.json["animations"].size(), 1U);
    EXPECT_EQ(after.json["scenes"][0]["extras"]["reanima"]["skeleton"], "given");
}

TEST(GltfPatch, WhereNodesStandBesideTheRestPoseEveryClipSaysWhereJointsAre) {
    // the place of the chest's node differs from its bind matrix
    std::string json = hero(R"({"uri":"hero.bin","byteLength":240})");
    const std::string place = "\"translation\":[0,0.500,0]";
    json.replace(json.find(place), place.size(), "\"translation\":[0,0.750,0]");
    const std::string moved = R"({"node":2,"path":"translation"})";  // now the file's animation moves the armature
    json.replace(json.find(moved), moved.size(), R"({"node":0,"path":"translation"})");
    const core::ByteVector bytes(json.begin(), json.end());
    const Json after =
        patched({bytes, "hero.gltf", test::siblingsBy([](std::string_view) { return std::optional(heroData()); })},
                {nod("nod", 1)})
            .json;
    std::set<std::string> paths;
    for (const Json& channel : after["animations"][0]["channels"])
        if (channel["target"]["node"] == 2)
            paths.insert(channel["target"]["path"].get<std::string>());
    EXPECT_EQ(paths, (std::set<std::string>{"rotation", "translation"}));
}

TEST(GltfPatch, ARigOfAnotherFileAndClipsThatAreNotValidAreRefused) {
    const core::ByteVector before = heroGlb();
    core::Diagnostics diagnostics;
    const auto refusalOf = [&](const Rig& rig, const std::vector<core::Clip>& clips) -> std::string {
        try {
            (void)addAnimations({before, "hero.glb"}, rig, clips, {}, {}, diagnostics);
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
        return "none";
    };
    Rig rig = readRig({before, "hero.glb"}, {}, diagnostics);
    EXPECT_EQ(refusalOf(rig, {nod("nod", 3)}),
              "the clips are not valid: clip nod: track 0: joint 3 does not exist or is out of order");
    rig.nodes.back() = 4;
    EXPECT_EQ(refusalOf(rig, {}), "the rig was not read from this file");
    rig.nodes.assign(rig.skeleton.joints.size() + 1, 0);
    EXPECT_EQ(refusalOf(rig, {}), "the rig was not read from this file");
}

TEST(GltfPatch, FurtherChunksAndPatchedFilesAreKept) {
    const core::ByteVector chunk = {4, 0, 0, 0, 'X', 'T', 'R', 'A', 1, 2, 3, 4};
    const core::ByteVector before = makeGlb(hero(R"({"byteLength":240})"), heroData(), chunk);
    const Patched once = patched({before, "hero.glb"}, {nod("nod", 2)});
    EXPECT_TRUE(std::equal(chunk.rbegin(), chunk.rend(), once.glb.rbegin()));
    const Json twice = patched({once.glb, "hero.glb"}, {nod("nod", 2)}).json;
    EXPECT_EQ(twice["animations"].size(), 3U);
    EXPECT_EQ(twice["animations"][0]["name"], "nod_2");
    EXPECT_EQ(twice["scenes"][0]["extras"]["reanima"]["clips"].size(), 2U);
}

TEST(GltfPatch, ATextFileHasABufferOfItsOwn) {
    const core::ByteVector chunk = {4, 0, 0, 0, 'X', 'T', 'R', 'A', 1, 2, 3, 4};
    const core::ByteVector before = makeGlb(hero(R"({"byteLength":240})"), heroData(), chunk);
    const GltfInput input{before, "hero.glb"};
    core::Diagnostics diagnostics;
    const Rig rig = readRig(input, {}, diagnostics);
    const std::vector<core::Clip> clips = {nod("nod", 2)};
    GltfFile file = addAnimations(input, rig, clips, {}, {}, diagnostics, "my hero.bin");
    const core::ByteVector text = std::move(file.bytes).joined();
    const core::ByteVector buffer = std::move(file.buffer).joined();
    Json json = Json::parse(text.begin(), text.end());
    EXPECT_EQ(json["buffers"],
              Json::array({{{"byteLength", buffer.size()}, {"name", bufferHash(buffer)}, {"uri", "my%20hero.bin"}}}));
    json.erase("buffers");
    Patched binary = patched(input, clips);
    binary.json.erase("buffers");
    EXPECT_EQ(json, binary.json);
    const core::ByteVector data = dataOf(binary.glb);
    EXPECT_TRUE(std::equal(buffer.begin(), buffer.end(), data.begin()));
    ASSERT_EQ(diagnostics.warnings().size(), 1U);
    EXPECT_EQ(diagnostics.warnings()[0].message(),
              "hero.glb: warning: 12 bytes of other chunks are left out, because a .gltf can't store them");
}

// ---------------------------------------------------------------------------------------------------------------------
// Joints that the file lacks

core::Joint jointBelow(int parent, const char* name) {
    core::Joint joint;
    joint.name = name;
    joint.parent = parent;
    return joint;
}

/// `text` with the only occurrence of `was` replaced.
std::string with(std::string text, std::string_view was, std::string_view now) {
    EXPECT_NE(text.find(was), std::string::npos) << was;
    EXPECT_EQ(text.find(was), text.rfind(was)) << was;
    return text.replace(text.find(was), was.size(), now);
}

/// Joints 0, 1 and 2 are the nodes Armature, hips and chest; the file has 4 nodes.
std::vector<core::Joint> equipment() {
    std::vector<core::Joint> joints = {jointBelow(2, "sword"), jointBelow(1, "shield"),
                                       jointBelow(core::kNoParent, "pet"), jointBelow(3, "tip"),
                                       jointBelow(2, "torch")};
    joints[0].rest = {{0, 0.25F, 0.5F}, glm::quat(0.8F, 0, 0.6F, 0), glm::vec3(2)};
    joints[0].extras = {{"length", 0.5}};
    return joints;
}

TEST(GltfPatch, FurtherJointsBecomeNodesAfterThoseOfTheFile) {
    const core::ByteVector before = heroGlb();
    const Patched after = patched({before, "hero.glb"}, {}, {}, equipment());
    EXPECT_EQ(after.warnings, std::vector<std::string>{});
    const std::vector<TextRange> nodes =
        elementsOf(after.text, memberNamed(membersOf(after.text, wholeValue(after.text)), "nodes")->value);
    ASSERT_EQ(nodes.size(), 9U);
    EXPECT_EQ(Json::parse(nodes[4].in(after.text)), Json::parse(R"({"name":"sword","translation":[0,0.25,0.5],
        "rotation":[0,0.6000000238418579,0,0.800000011920929],"scale":[2,2,2],"children":[7],
        "extras":{"index":3,"length":0.5}})"));
    EXPECT_EQ(Json::parse(nodes[5].in(after.text)), Json::parse(R"({"name":"shield","extras":{"index":4}})"));
    EXPECT_EQ(Json::parse(nodes[6].in(after.text)), Json::parse(R"({"name":"pet","extras":{"index":5}})"));
    EXPECT_EQ(Json::parse(nodes[7].in(after.text)), Json::parse(R"({"name":"tip","extras":{"index":6}})"));
    EXPECT_EQ(Json::parse(nodes[8].in(after.text)), Json::parse(R"({"name":"torch","extras":{"index":7}})"));

    // The rest is unchanged, except for an extended list, an added one, and that of the scene.
    std::string rest = after.text;
    rest.erase(nodes[3].end, nodes[8].end - nodes[3].end);
    std::string expected = with(textOf(before), R"("nodes":[0,3])", R"("nodes":[0,3,6])");
    expected = with(expected, R"("children":[2])", R"("children":[2,5])");
    expected = with(expected, R"("translation":[0,0.500,0]})", R"("translation":[0,0.500,0],"children":[4,8]})");
    rest.resize(rest.find_last_not_of(' ') + 1);
    expected.resize(expected.find_last_not_of(' ') + 1);
    EXPECT_EQ(rest, expected);
    EXPECT_EQ(dataOf(after.glb), dataOf(before));
}

TEST(GltfPatch, FurtherJointsHaveKeysInEveryAnimationOnceOneMovesThem) {
    const core::ByteVector before = heroGlb();
    core::Clip swing = nod("swing", 3);
    swing.tracks.front().translation.values = {{0, 0, 1}, {0, 0, 2}};
    const Patched after = patched({before, "hero.glb"}, {swing, nod("nod", 2)}, {}, equipment());
    for (const std::size_t clip : {0U, 1U}) {
        std::set<std::pair<int, std::string>> moved;
        for (const Json& channel : after.json["animations"][clip]["channels"])
            moved.emplace(channel["target"]["node"].get<int>(), channel["target"]["path"].get<std::string>());
        EXPECT_EQ(moved,
                  (std::set<std::pair<int, std::string>>{
                      {1, "rotation"}, {2, "rotation"}, {2, "translation"}, {4, "rotation"}, {4, "translation"}}));
    }
    for (const char* key : {"asset", "extensionsUsed", "extensions", "meshes", "skins"})
        EXPECT_EQ(memberText(after.text, key), memberText(textOf(before), key)) << key;
    // hips is animated now: the matrix is removed, the list of children is longer
    EXPECT_FALSE(after.json["nodes"][1].contains("matrix"));
    EXPECT_EQ(after.json["nodes"][1]["children"], Json::array({2, 5}));
    EXPECT_EQ(after.json["nodes"][1]["extras"], Json::parse(R"({"keep":[1.00]})"));
}

TEST(GltfPatch, ANodeThatIsAddedHasANameOfItsOwn) {
    const core::ByteVector before = heroGlb();
    const Patched after = patched({before, "hero.glb"}, {}, {}, {jointBelow(2, "body"), jointBelow(2, "body_3")});
    EXPECT_EQ(after.json["nodes"][4]["name"], "body_2");  // body is not a joint, but a node
    EXPECT_EQ(after.json["nodes"][5]["name"], "body_3");
    EXPECT_EQ(after.warnings,
              std::vector<std::string>{"hero.glb: warning: already has a node body; the new one is called body_2"});
}

TEST(GltfPatch, ANodeWithoutAParentGoesToTheSceneThatIsShown) {
    const auto scenesAfter = [](const std::string& members) {
        const std::string json =
            R"({"asset":{"version":"2.0"},"nodes":[{"name":"hips"}],"skins":[{"joints":[0]}])" + members + "}";
        const core::ByteVector bytes(json.begin(), json.end());
        const Patched after = patched({bytes, "bare.gltf"}, {}, {},
                                      {jointBelow(core::kNoParent, "pet"), jointBelow(core::kNoParent, "cat")});
        EXPECT_EQ(after.json["nodes"].size(), 3U);
        return memberText(after.text, "scenes");
    };
    EXPECT_EQ(scenesAfter(R"(,"scenes":[{"nodes":[ 0 ]},{}])"), R"([{"nodes":[ 0 ,1,2]},{}])");
    EXPECT_EQ(scenesAfter(R"(,"scene":1,"scenes":[{},{"nodes":[0]}])"), R"([{},{"nodes":[0,1,2]}])");
    EXPECT_EQ(scenesAfter(R"(,"scenes":[{"name":"bare"}])"), R"([{"name":"bare","nodes":[1,2]}])");
    EXPECT_EQ(scenesAfter(""), "");
}

TEST(GltfPatch, TheKhronosValidatorFindsNothing) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "reanima_patch_test";
    std::filesystem::create_directories(folder);
    const core::ByteVector before = heroGlb();
    const core::ByteVector plain = plainGlb();
    const std::vector<core::Clip> clips = {nod("wave", 2), nod("turn", 0), nod("bow", 1)};
    for (const auto& [name, bytes] :
         {std::pair("added.glb", patched({before, "hero.glb"}, clips).glb),
          std::pair("replaced.glb", patched({before, "hero.glb"}, clips, {.replacesAnimations = true}).glb),
          std::pair("fewer.glb", patched({plain, "hero.glb"}, {nod("wave", 2)}, {.replacesAnimations = true}).glb),
          std::pair("grown.glb", patched({before, "hero.glb"}, {nod("swing", 3), nod("run", 5)}, {}, equipment()).glb)})
        std::ofstream(folder / name, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));  // NOLINT
    const std::string command =
        fmt::format("node \"{}/tests/validate.js\" \"{}\"", REANIMA_SOURCE_DIR, folder.string());
    EXPECT_EQ(std::system(command.c_str()), 0);  // NOLINT: a test
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace reanima::gltf
