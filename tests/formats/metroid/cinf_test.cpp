#include "formats/metroid/cinf.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "formats/metroid/animation/clips.h"
#include "formats/metroid/cinf_json.h"
#include "support/broken.h"
#include "support/bytes.h"

namespace reanima::metroid {
namespace {

using core::ByteVector;

// Two bones: 3 at the origin, and 4 below it. The parent comes second in the file.
const ByteVector kTwoBones = {0,    0,   0,   2,  // bone_count
                              0,    0,   0,   4, 0,    0,    0,   3, 0x3F, 0x80, 0, 0,
                              0x40, 0,   0,   0, 0x40, 0x40, 0,   0,  // id, parent_id, position 1, 2, 3
                              0,    0,   0,   1, 0,    0,    0,   3,  // link_count, links
                              0,    0,   0,   3, 0,    0,    0,   2, 0x3F, 0,    0, 0,
                              0,    0,   0,   0, 0,    0,    0,   0,  // id, parent_id, position 0.5, 0, 0
                              0,    0,   0,   2, 0,    0,    0,   2, 0,    0,    0, 4,  // link_count, links
                              0,    0,   0,   2, 0,    0,    0,   3, 0,    0,    0, 4,  // build_order
                              0,    0,   0,   2, 'a',  'r',  'm', 0, 0,    0,    0, 4,
                              'a',  'r', 'm', 0, 0,    0,    0,   3};  // names: both `arm`

Cinf decode(const ByteVector& bytes) {
    core::Diagnostics diagnostics;
    Cinf cinf = decodeCinf(bytes, std::nullopt, diagnostics);
    EXPECT_TRUE(diagnostics.warnings().empty());
    return cinf;
}

/// The first name of a bone.
std::string nameOf(const Cinf& cinf, std::uint32_t id) {
    const auto name =
        std::find_if(cinf.names.begin(), cinf.names.end(), [id](const CinfName& n) { return n.id == id; });
    return name == cinf.names.end() ? "" : name->name;
}

TEST(Cinf, IsReadWordForWord) {
    const Cinf cinf = decode(kTwoBones);
    EXPECT_EQ(cinf.game, Game::prime);
    ASSERT_EQ(cinf.bones.size(), 2U);
    EXPECT_EQ(cinf.bones[0].position, (std::array<float, 3>{1, 2, 3}));
    EXPECT_EQ(cinf.bones[1].links, (std::vector<std::uint32_t>{2, 4}));
    EXPECT_EQ(cinf.buildOrder, (std::vector<std::uint32_t>{3, 4}));
    EXPECT_EQ(nameOf(cinf, 4), "arm");
    EXPECT_EQ(encodeCinf(cinf), kTwoBones);
    EXPECT_TRUE(isCinf(kTwoBones));
}

TEST(Cinf, JointsComeAfterTheirParentsAndNamesAreUniqueInFileOrder) {
    const core::Skeleton skeleton = toSkeleton(decode(kTwoBones), 1);
    ASSERT_EQ(skeleton.joints.size(), 2U);
    EXPECT_EQ(skeleton.joints[0].id, 3U);
    EXPECT_EQ(skeleton.joints[0].name, "arm_2");
    EXPECT_EQ(skeleton.joints[1].name, "arm");
    EXPECT_EQ(skeleton.joints[1].parent, 0);
    EXPECT_EQ(skeleton.joints[0].rest.translation, glm::vec3(-0.5F, 0, 0));  // (-x, z, y)
    EXPECT_EQ(skeleton.joints[1].rest.translation, glm::vec3(-0.5F, 3, 2));  // from its parent
    EXPECT_TRUE(skeleton.hasRest);
}

TEST(Cinf, ABoneWithoutANameIsCalledByItsId) {
    ByteVector file = kTwoBones;
    file[file.size() - 9] = 77;  // the first `arm` belongs to a bone that does not exist
    EXPECT_EQ(toSkeleton(decode(file), 1).joints[1].name, "bone004");
}

Json dumpOf(const ByteVector& file) {
    core::Diagnostics diagnostics;
    return toJson(decodeCinf(file, std::nullopt, diagnostics), core::Diagnostics{});
}

test::Encoded encode(const Json& json) {
    return test::encodedBy(
        [&](core::Diagnostics& diagnostics) { return encodeCinf(cinfFromJson(JsonReader(json), diagnostics)); });
}

TEST(CinfJson, GivesTheFileBackAndKeepsEdits) {
    const core::Diagnostics none;
    Json json = toJson(decode(kTwoBones), none);
    EXPECT_EQ(json["joints"][0]["parent"], 1);
    EXPECT_EQ(json["joints"][1]["parent"], nullptr);
    EXPECT_EQ(encode(json).bytes, kTwoBones);
    json["joints"][1]["name"] = "shoulder";
    json["joints"][0]["position"][2] = 3.5;
    json["joints"][0]["parent"] = nullptr;
    json["joints"][0]["parent_id"] = 2;
    const Cinf edited = decode(encode(json).bytes);
    EXPECT_EQ(nameOf(edited, 3), "shoulder");
    EXPECT_EQ(nameOf(edited, 4), "arm");
    EXPECT_EQ(edited.bones[0].position[2], 3.5F);
    EXPECT_EQ(edited.bones[0].parentId, 2U);
}

TEST(CinfJson, LinksAndBuildOrderFollowTheJoints) {
    const std::vector<std::string> said = {
        "warning: joints: were changed, or have different parents; links and build_order are rewritten"};
    Json json = dumpOf(kTwoBones);
    Json joint = json["joints"][0];  // 4, whose parent is 3
    joint["id"] = 9;
    joint["name"] = "hand";
    joint["parent"] = 0;
    joint.erase("parent_id");
    json["joints"].push_back(joint);
    const test::Encoded added = encode(json);
    EXPECT_EQ(added.messages, said);
    const Cinf three = decode(added.bytes);
    EXPECT_EQ(three.buildOrder, (std::vector<std::uint32_t>{3, 4, 9}));
    EXPECT_EQ(three.bones[0].links, (std::vector<std::uint32_t>{3, 9}));
    EXPECT_EQ(three.bones[1].links, (std::vector<std::uint32_t>{2, 4}));
    EXPECT_EQ(three.bones[2].links, (std::vector<std::uint32_t>{4}));

    json = dumpOf(added.bytes);
    json["joints"][2]["parent"] = 1;  // 3 instead of 4
    const test::Encoded moved = encode(json);
    EXPECT_EQ(moved.messages, said);
    EXPECT_EQ(decode(moved.bytes).bones[0].links, (std::vector<std::uint32_t>{3}));
    EXPECT_EQ(decode(moved.bytes).bones[1].links, (std::vector<std::uint32_t>{2, 4, 9}));
}

TEST(CinfJson, KeepsNamesThatAreNoText) {
    ByteVector file = kTwoBones;
    file[file.size() - 8] = 0xC3;  // the `a` of the second name; not UTF-8 before an `r`
    const core::Diagnostics none;
    const Json json = toJson(decode(file), none);
    EXPECT_EQ(json["joints"][1]["name"]["hex"], "c3726d");
    EXPECT_EQ(encode(json).bytes, file);
}

ByteVector followedBy(ByteVector bytes, std::size_t count, std::uint8_t byte) {
    bytes.insert(bytes.end(), count, byte);
    return bytes;
}

TEST(CinfJson, PaddingFitsAgainWhereTheContentIsLonger) {
    const ByteVector odd = followedBy(kTwoBones, 4, 0xFF);  // 96 bytes need no padding
    Json json = dumpOf(odd);
    EXPECT_EQ(encode(json).bytes, odd);
    json["joints"][0]["position"][2] = 3.5;
    EXPECT_EQ(encode(json).bytes.size(), 100U);
    EXPECT_EQ(encode(json).messages, std::vector<std::string>());
    json["joints"][1]["name"] = "shoulder";  // 5 letters more
    const test::Encoded edited = encode(json);
    EXPECT_EQ(edited.messages,
              std::vector<std::string>{
                  "warning: padding: has 4 bytes, but the file's size must be a multiple of 32; 27 are written"});
    EXPECT_EQ(edited.bytes.size(), 128U);
    EXPECT_EQ(decode(edited.bytes).padding, ByteVector(27, 0xFF));
}

TEST(CinfJson, BytesThatAreNoPaddingStay) {
    for (const ByteVector& file : {followedBy(kTwoBones, 3, 'a'), followedBy(kTwoBones, 40, 0xFF)}) {
        Json json = dumpOf(file);
        EXPECT_EQ(encode(json).bytes, file);
        json["joints"][1]["name"] = "shoulder";
        const test::Encoded edited = encode(json);
        EXPECT_EQ(edited.messages, std::vector<std::string>());
        EXPECT_EQ(edited.bytes.size(), file.size() + 5);
    }
}

/// The notes from reading this JSON.
std::vector<std::string> notesAbout(const Json& json) {
    core::Diagnostics diagnostics;
    (void)cinfFromJson(JsonReader(json), diagnostics);
    std::vector<std::string> notes;
    for (const core::Warning& warning : diagnostics.warnings())
        if (warning.severity == core::Warning::Severity::note)
            notes.push_back(warning.message());
    return notes;
}

TEST(CinfJson, NotesNamesThatFollowAndAGameThatDoesNotShow) {
    Json json = dumpOf(kTwoBones);
    json["names"].erase(0);
    EXPECT_EQ(notesAbout(json), std::vector<std::string>{
                                    "note: names: does not contain 1 of the named joints; they are added at the end"});
    json = {{"game", "mp2"}, {"joints", Json::array()}};
    EXPECT_EQ(notesAbout(json),
              std::vector<std::string>{
                  "note: game: is \"mp2\", but the file can't record which game it belongs to; to read the file, name "
                  "the game"});
}

TEST(CinfMessages, AreWhole) {
    using test::Broken;
    const auto decode = [](const ByteVector& file, core::Diagnostics& diagnostics) {
        return decodeCinf(file, std::nullopt, diagnostics);
    };
    test::expectMessages(
        kTwoBones, decode, encodeCinf,
        {Broken{"CountCut", 0, {}, 3, "bone_count at 0x0: needs 4 bytes, but only 3 are left"},
         Broken{"BonesAbsurd",
                0,
                {0xFF, 0xFF, 0xFF, 0xFF},
                std::nullopt,
                "bone_count at 0x0: is 4294967295, but the file has room for only 3"},
         Broken{"BoneCut", 0, {}, 30, "bone_count at 0x0: is 2, but the file has room for only 1"},
         Broken{"PositionNoNumber",
                12,
                {0x7F, 0xC0, 0, 0},
                std::nullopt,
                "bones[0].position at 0xc: is nan, expected a number of at most 1e18"},
         Broken{"LinksAbsurd",
                24,
                {0xFF, 0xFF, 0xFF, 0xFF},
                std::nullopt,
                "bones[0].link_count at 0x18: is 4294967295, but the file has room for only 17"},
         Broken{"OrderCut", 0, {}, 70, "build_order_count at 0x40: is 2, but the file has room for only 0"},
         Broken{"NamesAbsurd",
                76,
                {0xFF, 0xFF, 0xFF, 0xFF},
                std::nullopt,
                "name_count at 0x4c: is 4294967295, but the file has room for only 3"},
         Broken{
             "NameWithoutEnd", 91, {1, 1, 1, 1, 1}, std::nullopt, "names[1].name at 0x58: has no zero byte at its end"},
         Broken{"Circle", 39, {4}, std::nullopt, "bones[0].parent_id: is 3, which makes this bone its own ancestor"},
         Broken{"SharedId",
                35,
                {4},
                std::nullopt,
                "warning: bones[1].id: is 4, the same as that of an earlier bone; the earlier bone is used"},
         Broken{"NoBones", 3, {0, 0, 0, 0, 0, 0, 0, 0, 0}, 12, "warning: bone_count: is 0, so there are no bones"},
         Broken{"BytesAfter", 0, {}, 97, "warning: padding: 1 bytes follow the content"}});
}

}  // namespace
}  // namespace reanima::metroid
