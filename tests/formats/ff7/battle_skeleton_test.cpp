#include "formats/ff7/battle_skeleton.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "formats/ff7/battle_json.h"
#include "formats/registry.h"
#include "support/broken.h"
#include "support/bytes.h"

namespace reanima::ff7 {
namespace {

using core::ByteVector;

// A player's skeleton of two bones, word for word.
const ByteVector kTwoBones = {2,    0,    0,    0,    1, 0, 0,    0,    1, 0, 0, 0,
                              2,    0,    0,    0,  // kind, 1, 1, bone_count
                              0,    0,    0,    0,    0, 0, 0,    0,    3, 0, 0, 0,
                              5,    0,    0,    0,  // unknown_10, joint_count, texture_count, body_animation_count
                              7,    0,    0,    0,    1, 0, 0,    0,    5, 0, 0, 0,
                              0,    0,    0,    0,  // unknown_20, weapon_count, weapon_animation_count, unknown_2c
                              9,    0,    0,    0,  // unknown_30
                              0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0xF0, 0xC1, 1, 0, 0, 0,  // parent -1, length -30, has_model
                              0,    0,    0,    0,    0, 0, 0x20, 0xC1, 0, 0, 0, 0};  // parent 0, length -10

TEST(BattleSkeleton, IsReadWordForWord) {
    core::Diagnostics diagnostics;
    const BattleSkeleton skeleton = decodeBattleSkeleton(kTwoBones, diagnostics);
    EXPECT_EQ(skeleton.kind, 2U);
    EXPECT_EQ(skeleton.textureCount, 3U);
    EXPECT_EQ(skeleton.bodyAnimationCount, 5U);
    EXPECT_EQ(skeleton.weaponCount, 1U);
    EXPECT_EQ(skeleton.weaponAnimationCount, 5U);
    ASSERT_EQ(skeleton.bones.size(), 2U);
    EXPECT_EQ(skeleton.bones[0].parent, -1);
    EXPECT_EQ(skeleton.bones[0].length, -30.0F);
    EXPECT_EQ(skeleton.bones[0].hasModel, 1U);
    EXPECT_EQ(skeleton.bones[1].parent, 0);
    EXPECT_TRUE(diagnostics.warnings().empty());
    EXPECT_EQ(encodeBattleSkeleton(skeleton), kTwoBones);
    EXPECT_TRUE(isBattleSkeleton(kTwoBones));
}

TEST(BattleSkeleton, WithoutBonesIsNothingToConvert) {
    ByteVector location(kTwoBones.begin(), kTwoBones.begin() + 52);
    location[0] = 1;
    location[12] = 0;
    test::Surroundings surroundings;
    const Format& format = *formatNamed("ff7-battle-skeleton");
    try {
        const Input input(File{"opaa", location});
        (void)format.open(input, {}, surroundings.context)->asset({}, surroundings.diagnostics);
        FAIL();
    } catch (const core::DecodeError& error) {
        EXPECT_STREQ(error.what(), "bone_count at 0xc: is 0, because this is a battle location, which has no bones");
    }
}

TEST(BattleSkeleton, SurvivesJson) {
    core::Diagnostics diagnostics;
    const Json json = toJson(decodeBattleSkeleton(kTwoBones, diagnostics), diagnostics);
    EXPECT_EQ(encodeBattleSkeleton(skeletonFromJson(JsonReader(json), diagnostics)), kTwoBones);
}

TEST(BattleSkeleton, BytesAfterTheBonesAreKept) {
    ByteVector file = kTwoBones;
    file.push_back(0x55);
    core::Diagnostics diagnostics;
    const BattleSkeleton skeleton = decodeBattleSkeleton(file, diagnostics);
    ASSERT_EQ(diagnostics.warnings().size(), 1U);
    EXPECT_EQ(diagnostics.warnings()[0].message(), "warning: trailing: 1 bytes follow the last bone");
    EXPECT_EQ(encodeBattleSkeleton(skeleton), file);
    EXPECT_FALSE(isBattleSkeleton(file));
}

TEST(BattleSkeletonMessages, AreWhole) {
    using test::Broken;
    test::expectMessages(
        kTwoBones, decodeBattleSkeleton, encodeBattleSkeleton,
        {Broken{"Empty", 0, {}, 0, "kind at 0x0: needs 4 bytes, but only 0 are left"},
         Broken{"HeaderCut", 0, {}, 50, "unknown_30 at 0x30: needs 4 bytes, but only 2 are left"},
         Broken{"KindUnknown", 0, {7}, 76, "kind at 0x0: is 7, expected 0, 1 or 2"},
         Broken{"BonesCut", 0, {}, 75, "bone_count at 0xc: is 2, but the file has room for only 1 bones"},
         Broken{"CountAbsurd",
                12,
                {0xFF, 0xFF, 0xFF, 0xFF},
                76,
                "bone_count at 0xc: is 4294967295, but the file has room for only 2 bones"},
         Broken{"ParentComesLater",
                52,
                {1, 0, 0, 0},
                76,
                "bones[0].parent at 0x34: is 1, expected -1 or an earlier bone, below 0"},
         Broken{"ParentNegative",
                64,
                {0xFE, 0xFF, 0xFF, 0xFF},
                76,
                "bones[1].parent at 0x40: is -2, expected -1 or an earlier bone, below 1"},
         Broken{"LengthNoNumber",
                56,
                {0, 0, 0xC0, 0x7F},
                76,
                "bones[0].length at 0x38: is nan, expected a finite number"}});
}

}  // namespace
}  // namespace reanima::ff7
