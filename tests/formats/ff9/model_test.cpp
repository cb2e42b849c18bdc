#include "formats/ff9/model.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "formats/ff9/animation.h"
#include "formats/ff9/native_json.h"
#include "support/broken.h"
#include "support/bytes.h"

namespace reanima::ff9 {
namespace {

using core::ByteVector;
using core::LittleEndianReader;

// Three bones, word for word.
const ByteVector kThreeBones = {
    0,    0, 3, 0, 0x30, 1,    2, 0,  // 00 loaded, bone_count 3, group_count 0, size 0x130, neck_bone 2, unknown_07
    0xCA, 1, 5, 0, 0x14, 0,    0, 0,  // 08 height 458, radius 5, bone_table
    0x20, 0, 0, 0,                    // 10 mesh_groups
    9,    0, 0, 0, 0x9C, 0xFF, 0, 0,  // 14 lengths 9, -100
    0x2C, 1, 0, 1};                   // 1c length 300 at bone 1

Model decoded(const ByteVector& file) {
    core::Diagnostics diagnostics;
    return decodeModel(LittleEndianReader(file), {}, diagnostics);
}

TEST(Model, IsReadWordForWord) {
    const Model model = decoded(kThreeBones);
    EXPECT_EQ(model.groupCount, 0);
    EXPECT_EQ(model.size, 0x130);
    EXPECT_EQ(model.neckBone, 2);
    EXPECT_EQ(model.height, 458);
    EXPECT_EQ(model.radius, 5);
    ASSERT_EQ(model.bones.size(), 3U);
    EXPECT_EQ(model.bones[0].length, 9);
    EXPECT_EQ(model.bones[1].length, -100);
    EXPECT_EQ(model.bones[1].parent, 0);
    EXPECT_EQ(model.bones[2].length, 300);
    EXPECT_EQ(model.bones[2].parent, 1);
    EXPECT_TRUE(model.groups.empty());
    EXPECT_EQ(encodeModel(model), kThreeBones);
    EXPECT_TRUE(isModel(kThreeBones));
}

TEST(Model, SurvivesJson) {
    core::Diagnostics diagnostics;
    const Json json = toJson(decoded(kThreeBones), {}, diagnostics);
    EXPECT_EQ(encodeModel(modelFromJson(JsonReader(json), diagnostics)), kThreeBones);
    EXPECT_TRUE(diagnostics.warnings().empty());
}

TEST(Model, OnceLoadedHasAddressesAndIsWrittenWithOffsets) {
    ByteVector file = kThreeBones;
    file[0] = 1;
    file[0x0F] = 0x80;  // bone_table
    file[0x13] = 0x80;  // mesh_groups
    const Model model = decoded(file);
    EXPECT_EQ(model.bones[2].length, 300);
    EXPECT_EQ(model.boneTable, 0x80000014);
    EXPECT_TRUE(isModel(file));
    ByteVector written = kThreeBones;
    written[0] = 1;
    EXPECT_EQ(encodeModel(model), written);
}

TEST(Model, BytesBetweenHeaderAndBonesAreLeftOut) {
    ByteVector file = kThreeBones;
    file.insert(file.begin() + 0x14, {1, 2, 3, 4});
    file[0x0C] = 0x18;
    file[0x10] = 0x24;
    const Model model = decoded(file);
    EXPECT_EQ(model.bones[1].length, -100);
    EXPECT_EQ(encodeModel(model), kThreeBones);
    EXPECT_FALSE(isModel(file));
}

TEST(Model, IsToldFromAnAnimationThatNeverMoves) {
    ByteVector file = {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 7, 0, 0x14, 0, 0, 0, 0x24, 0, 0, 0};  // 256 frames, two bones
    for (int record = 0; record < 4; ++record)
        file.insert(file.end(), {1, 0, 2, 0, 3, 0, 7, 0});
    file[2] = 3;  // 259: three bones of a model would fit
    EXPECT_FALSE(isModel(file));
    EXPECT_TRUE(isAnimation(file));
}

TEST(ModelMessages, AreWhole) {
    using test::Broken;
    const auto decode = [](const core::ByteVector& file, core::Diagnostics& d) {
        return decodeModel(LittleEndianReader(file), {}, d);
    };
    test::expectMessages(
        kThreeBones, decode,
        {Broken{"Empty", 0, {}, 0, "loaded at 0x0: needs 2 bytes, but only 0 are left"},
         Broken{"HeaderCut", 0, {}, 0x12, "mesh_groups at 0x10: needs 4 bytes, but only 2 are left"},
         Broken{"LoadedUnknown", 0, {2}, 0x20, "loaded at 0x0: is 2, expected 0 or 1"},
         Broken{"NoBones", 2, {0}, 0x20, "bone_count at 0x2: is 0, expected 1 or more"},
         Broken{"BonesCut", 0, {}, 0x1F, "bone_count at 0x2: is 3, but the file has room for only 2"},
         Broken{"CountAbsurd", 2, {255}, 0x20, "bone_count at 0x2: is 255, but the file has room for only 3"},
         Broken{"BonesInHeader",
                0x0C,
                {0x10},
                0x20,
                "bone_table at 0xc: is 0x10, expected 0x14 or more, after the header"},
         Broken{"BonesOutside",
                0x0C,
                {0xFF, 0xFF, 0xFF, 0x7F},
                0x20,
                "bone_table at 0xc: is 0x7fffffff, but the file has only 32 bytes"},
         Broken{"GroupsOutside",
                0x03,
                {2},
                0x20 + 79,
                "mesh_groups at 0x10: is 0x20, but the 2 groups from there end outside the model of 111 bytes"},
         Broken{"NoBase",
                0x10,
                {0, 0, 0, 0x80},
                0x20,
                "mesh_groups at 0x10: is 0x80000000, but the 0 groups from there end outside the model of 32 bytes"},
         Broken{"GroupsBeforeTheBase",
                0x0C,
                {0x14, 0, 0, 0x80, 0x20, 0, 0, 0},
                0x20,
                "mesh_groups at 0x10: is 0x20, before the model's first byte at 0x80000000"},
         Broken{"ParentIsItself", 0x1B, {1}, 0x20, "bones[1].parent at 0x1b: is 1, expected an earlier bone, below 1"},
         Broken{
             "ParentComesLater", 0x1F, {9}, 0x20, "bones[2].parent at 0x1f: is 9, expected an earlier bone, below 2"}});
}

}  // namespace
}  // namespace reanima::ff9
