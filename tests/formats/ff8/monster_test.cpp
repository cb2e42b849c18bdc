#include "formats/ff8/monster.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/byte_writer.h"
#include "core/pose.h"
#include "formats/ff8/monster_clips.h"
#include "formats/load.h"
#include "formats/row_functions.h"
#include "support/bytes.h"
#include "support/row.h"

namespace reanima::ff8 {
namespace {

using core::ByteVector;

/// One bone and one frame; sections 2 and 4 to 11 have no bytes.
ByteVector oneBone() {
    ByteVector file = {11, 0, 0, 0, 52, 0, 0, 0, 116, 0, 0, 0, 116, 0, 0, 0};
    for (int i = 0; i < 9; ++i)
        file.insert(file.end(), {136, 0, 0, 0});
    file.insert(file.end(), {1, 0, 0, 2, 7, 0, 8, 0, 1, 0, 2, 0, 3, 0, 0, 0});  // at 52: model_scale 512
    file.insert(file.end(), {0xFF, 0xFF, 0x9C, 0xFF, 1, 0, 2, 0, 3, 0});        // at 68: no parent, length -100
    file.resize(116, 9);
    file.insert(file.end(), {1, 0, 0, 0, 8, 0, 0, 0});  // at 116: animation_count, its offset
    // At 124: one frame. From the lowest bit on: 00 100 (1), 11 (-300 in 16 bits), 00 000; 1: scales; 1 11 (1024 in 12
    // bits), 0, 0; scales 0, 1 (-512 in 16 bits), 0: 65 bits, then 1010101.
    file.insert(file.end(), {1, 0x64, 0x6A, 0x7F, 0xF0, 0x00, 0x84, 0x00, 0xFE, 0xAA});
    file.insert(file.end(), {0xEE, 0xEE});
    return file;
}

Monster decoded(const ByteVector& file) {
    core::Diagnostics diagnostics;
    return decodeMonster(file, {}, diagnostics);
}

TEST(Monster, IsReadBitForBit) {
    const Monster monster = decoded(oneBone());
    EXPECT_EQ(monster.skeleton.modelScale, 512);
    EXPECT_EQ(monster.skeleton.unknown06, 8);
    EXPECT_EQ(monster.skeleton.bones.at(0).length, -100);
    const Animation& animation = monster.animations.at(0);
    EXPECT_EQ(animation.translations, (std::vector<Position>{{1, -300, 0}}));
    EXPECT_EQ(animation.rotations, (std::vector<AngleTriple>{{1024, 0, 0}}));
    EXPECT_EQ(animation.scales.at(0), (std::vector<ScaleTriple>{{1024, 512, 1024}}));
    EXPECT_EQ(animation.tailBits, 0x55);
    EXPECT_TRUE(animation.wide.empty());
    EXPECT_EQ(animation.gap, (ByteVector{0xEE, 0xEE}));
    EXPECT_TRUE(isReadWithoutWarnings<decodeMonster>(oneBone()));
}

TEST(Monster, MovesSixteenTimesAsFarAsItIsLong) {
    test::Surroundings s;
    const core::Asset asset =
        toAsset(decoded(oneBone()), {}, {"c0m999.dat", "c0m999", {15, 1}}, s.limits, s.diagnostics);
    ASSERT_EQ(asset.clips.size(), 1U);
    EXPECT_EQ(asset.clips[0].name, "c0m999_000");
    EXPECT_EQ(asset.clips[0].tracks[0].translation.values, (std::vector<glm::vec3>{{2, 600, 0}}));  // 16 * 512 / 4096
    EXPECT_EQ(asset.clips[0].tracks[0].scale.values, (std::vector<glm::vec3>{{1, 0.5F, 1}}));
    EXPECT_EQ(asset.skeleton->joints[0].end, glm::vec3(0, 0, 12.5F));
}

TEST(Monster, StandsOnTheFootThatIsPlanted) {
    test::Surroundings s;
    const core::Asset asset = toAsset(decoded(test::readBytes(test::sourceFolder() / "samples/ff8/c0m900.dat")), {},
                                      {"", "", kUsualSettings}, s.limits, s.diagnostics);
    const core::Clip& walk = asset.clips.at(1);
    const auto at = [&](std::uint32_t frame, std::uint32_t joint) {
        return glm::vec3(core::globalMatrices(*asset.skeleton,
                                              core::samplePose(*asset.skeleton, walk, frame / walk.rate))[joint][3]);
    };
    for (std::uint32_t frame = 1; frame < walk.frames; ++frame) {
        const auto step = [&](std::uint32_t joint) { return glm::distance(at(frame - 1, joint), at(frame, joint)); };
        constexpr std::uint32_t kFeet[] = {16, 20};
        EXPECT_LT(std::min(step(kFeet[0]), step(kFeet[1])), 0.001F) << frame;  // metres
        EXPECT_GT(step(0), 0.01F) << frame;
    }
}

/// A child with a vertex at (1000, 0, 0), below a bone with three times the width.
core::Asset stretched(core::Angle turn, core::Diagnostics& diagnostics) {
    Monster monster;
    monster.skeleton.bones.resize(2);
    monster.skeleton.bones[1].parent = 0;
    monster.skeleton.bones[0].length = -100;
    Animation& animation = monster.animations.emplace_back();
    animation.translations = {{0, 0, 0}};
    animation.rotations = {{0, 0, 0}, {0, 0, turn}};
    animation.scales = {{{3072, 1024, 2048}, {1024, 1024, 1024}}};
    return toAsset(monster, {{{{1, {1000, 0, 0}}}, {}}}, {"", "", {15, 0.001}}, {}, diagnostics);
}

TEST(Monster, ScalesThatNodesCantShowAreFitted) {
    core::Diagnostics quarter;
    const core::Asset exact = stretched(1024, quarter);
    EXPECT_EQ(quarter.warnings().size(), 0U);
    const core::JointTrack& child = exact.clips[0].tracks[1];
    EXPECT_LT(glm::distance(child.translation.values[0], glm::vec3(0, 0, 0.1F)), 1e-6F);  // stretched by its parent
    EXPECT_LT(glm::distance(child.scale.values[0], glm::vec3(3, 1 / 3.0F, 1)), 1e-5F);

    // By hand: for diag(1/3, 1, 1) Rz(45) diag(3, 1, 1), the fit rotates by half of 180 - atan(30 / 32) degrees.
    core::Diagnostics diagonal;
    (void)stretched(512, diagonal);
    ASSERT_EQ(diagonal.warnings().size(), 1U);
    EXPECT_EQ(diagonal.warnings()[0].message(),
              "warning: bones are scaled by different factors along their axes, which joints can't represent; vertices "
              "are off by up to 344.8 mm (_000, bone001, frame 0)");
}

TEST(MonsterMessages, AreWhole) {
    using test::Broken;
    test::expectMessages(
        "ff8-monster", oneBone(),
        {Broken{"Empty", 0, {}, 0, "section_count at 0x0: needs 4 bytes, but only 0 are left"},
         Broken{"OtherKind", 0, {7}, {}, "section_count at 0x0: is 7, expected 11"},
         Broken{"Cut", 0, {}, 135, "offsets[3] at 0x10: is 136, expected 52 to 135"},
         Broken{"SectionFalls", 8, {137, 0}, 140, "offsets[2] at 0xc: is 116, expected 137 or more"},
         Broken{"SectionsBeginLate", 4, {53}, {}, "offsets[0] at 0x4: is 53, expected 52"},
         Broken{"BonesAbsurd", 52, {2}, {}, "bone_count at 0x34: is 2, expected 1 to 1"},
         Broken{"NoBones", 52, {0}, {}, "bone_count at 0x34: is 0, expected 1 to 1"},
         Broken{"ParentOfRoot",
                68,
                {0, 0},
                {},
                "joints[0].parent at 0x44: is 0, expected an earlier bone, or 65535 for the first"},
         Broken{"AnimationsAbsurd", 116, {5}, {}, "animation_count at 0x74: is 5, but there is room for only 4"},
         Broken{"AnimationOutside", 120, {21}, {}, "animation_offsets[0] at 0x78: is 21, expected 8 to 20"},
         Broken{"FramesAbsurd", 124, {6}, {}, "warning: animations[0].frame_count: is 6, but there is room for only 4"},
         Broken{"FramesCut", 124, {2}, {}, "warning: animations[0].frame_count: is 2, but the data ends in frame 1"},
         Broken{"NoFrames", 124, {0}, {}, ""},
         Broken{"After", 0, {}, 137, "warning: trailing: 1 bytes follow the last section"}});
}

TEST(MonsterMessages, TellOfAnimationsThatShareBytes) {
    ByteVector file = oneBone();
    file[116] = 2;
    file.insert(file.begin() + 124, {12, 0, 0, 0});
    file[120] = 12;
    for (std::size_t at = 16; at < 52; at += 4)
        file[at] += 4;
    EXPECT_EQ(
        test::messageOf([&](core::Diagnostics& diagnostics) { (void)decodeMonster(file, {}, diagnostics); }),
        "note: animations: are written one after the other, because in the file they share bytes or are not in the "
        "order of their table");
    EXPECT_EQ(decoded(file).animations.at(0).translations, decoded(file).animations.at(1).translations);
}

TEST(Monster, KeepsAnUnalignedSection) {
    ByteVector file = oneBone();
    file.pop_back();
    for (std::size_t at = 16; at < 52; at += 4)
        file[at] = 135;
    core::Diagnostics diagnostics;
    const Monster monster = decodeMonster(file, {}, diagnostics);
    EXPECT_FALSE(monster.isMotionAligned);
    EXPECT_EQ(encodeMonster(monster, diagnostics), file);
    EXPECT_FALSE(diagnostics.hasWarnings());
    EXPECT_EQ(test::messageOfEdited("ff8-monster", oneBone(), [](Json& json) { json["motion_aligned"] = false; }),
              "warning: motion_aligned: is false, but the section has 20 bytes, a multiple of 4");
}

/// Without its rotation, the animation of oneBone() has 65 - 14 = 51 bits: it is a byte for the count and 7 others.
ByteVector shorter(const ByteVector& gap) {
    Monster monster = decoded(oneBone());
    monster.animations[0].rotations = {{0, 0, 0}};
    monster.animations[0].tailBits = 0;
    monster.animations[0].gap = gap;
    core::Diagnostics diagnostics;
    ByteVector file = encodeMonster(monster, diagnostics);
    EXPECT_EQ(diagnostics.warnings().size(), 0U);
    return file;
}

TEST(Monster, HasAnAlignedSectionAfterAnEdit) {
    const ByteVector padded = shorter({0xEE, 0xEE});
    ASSERT_EQ(padded.size(), 116U + 20);
    EXPECT_EQ(padded[16], 136);  // the next section
    EXPECT_EQ(ByteVector(padded.end() - 4, padded.end()), (ByteVector{0xEE, 0xEE, 0, 0}));
    const ByteVector withoutOldZeros = shorter({0, 0});
    EXPECT_EQ(withoutOldZeros.size(), 116U + 16);
    EXPECT_EQ(withoutOldZeros[16], 132);
}

TEST(MonsterMessages, OfEditedDumpsAreWhole) {
    const auto messageAfter = [](const auto& edit) { return test::messageOfEdited("ff8-monster", oneBone(), edit); };
    EXPECT_EQ(messageAfter([](Json&) {}), "");
    EXPECT_EQ(
        messageAfter([](Json& json) { json["animations"][0]["tail_bits"] = 200; }),
        "warning: animations[0].tail_bits: is 200, but 72 is written, because the last byte has no room for more bits");
    EXPECT_EQ(
        messageAfter([](Json& json) {
            json["animations"][0]["wide"] = {{1, 0}};
        }),
        "warning: animations[0].wide: are rewritten, because entries are out of order or state a width that the change "
        "needs anyway");
    EXPECT_EQ(messageAfter([](Json& json) { json["joints"] = Json::array(); }),
              "joints: has 0 elements, expected 1 to 255");
    EXPECT_EQ(messageAfter([](Json& json) { json["joints"][0]["parent"] = 0; }),
              "joints[0].parent: is 0, expected 65535");
    EXPECT_EQ(messageAfter([](Json& json) { json["animations"][0]["frames"] = Json(256, json); }),
              "animations[0].frames: has 256 elements, expected at most 255");
    EXPECT_EQ(messageAfter([](Json& json) {
                  json["animations"].insert(json["animations"].begin(), Json{{"index", 0}, {"gap", ""}});
                  json["animations"][1]["index"] = 1;
              }),
              "animations[0]: is an object, expected frames, or a gap with the bytes of a damaged animation, because "
              "only the last animation may be empty");
    EXPECT_EQ(messageAfter([](Json& json) { json["sections"][2] = ""; }),
              "sections[2]: is \"\", expected null, because this section is written from the values above");
}

TEST(MonsterMessages, TellOfClipsWithoutFrames) {
    ByteVector file = oneBone();
    file[124] = 0;
    EXPECT_EQ(test::messageOf([&](core::Diagnostics& diagnostics) {
                  (void)toAsset(decodeMonster(file, {}, diagnostics), {}, {"", "", kUsualSettings}, {}, diagnostics);
              }),
              "warning: animations[0]: has no frames, so no clip is made");
}

/// A file with this number of empty sections.
ByteVector fileOfSections(std::uint32_t count) {
    core::LittleEndianWriter file;
    file.write(count);
    for (std::uint32_t i = 0; i <= count; ++i)
        file.write(4 * (count + 2));
    return file.take();
}

TEST(OtherFiles, AreNamedForWhatTheyAre) {
    const auto messageOf = [](const char* name, const ByteVector& bytes) {
        test::Surroundings s;
        return test::messageOf([&](core::Diagnostics&) { (void)load(Input({name, bytes}), {}, s.context); });
    };
    EXPECT_EQ(messageOf("d0c000.dat", fileOfSections(7)),
              "d0c000.dat: is a party member of Final Fantasy VIII; it is not supported yet");
    EXPECT_EQ(messageOf("d7c016.dat", fileOfSections(10)),
              "d7c016.dat: is a party member of Final Fantasy VIII; it is not supported yet");
    EXPECT_EQ(messageOf("d0w000.dat", fileOfSections(8)),
              "d0w000.dat: is a weapon of Final Fantasy VIII; it is not supported yet");
    EXPECT_EQ(messageOf("d1w008.dat", fileOfSections(5)),
              "d1w008.dat: is a weapon of Final Fantasy VIII; it is not supported yet");
    EXPECT_EQ(messageOf("mag184_e.dat", fileOfSections(4)),
              "mag184_e.dat: is a summon of Final Fantasy VIII; it is not supported yet");
    EXPECT_EQ(messageOf("c0m127.dat", fileOfSections(2)),
              "c0m127.dat: is a monster of Final Fantasy VIII without a model");
    EXPECT_EQ(messageOf("battle.fs", {1, 2, 3}),
              "battle.fs: is an archive of Final Fantasy VIII; put its .fs, .fi and .fl into one folder");
    EXPECT_EQ(messageOf("c0m001.dat", {1, 2, 3}),
              "c0m001.dat: section_count at 0x0: needs 4 bytes, but only 3 are left");
    EXPECT_EQ(messageOf("other.dat", {1, 2, 3}), "other.dat: is not a file of a known format");
}

}  // namespace
}  // namespace reanima::ff8
