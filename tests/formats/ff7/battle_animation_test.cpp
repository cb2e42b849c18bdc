#include "formats/ff7/battle_animation.h"

#include <algorithm>
#include <iterator>
#include <random>

#include <gtest/gtest.h>

#include "support/bytes.h"

namespace reanima::ff7 {
namespace {

using core::ByteVector;
using test::Surroundings;

BattlePack decode(const ByteVector& bytes, Surroundings& surroundings, const PackHints& hints = {}) {
    return decodeBattlePack(bytes, hints, surroundings.limits, surroundings.diagnostics);
}

BattlePack decodeSound(const ByteVector& bytes, const PackHints& hints = {}) {
    Surroundings surroundings;
    const BattlePack pack = decode(bytes, surroundings, hints);
    EXPECT_EQ(surroundings.warnings(), std::vector<std::string>());
    return pack;
}

ByteVector encode(const BattlePack& pack) {
    core::Diagnostics diagnostics;
    return encodeBattlePack(pack, diagnostics);
}

// One animation, one triple, one frame, key_bits 0: 12 bits per angle.
const ByteVector kOneFrame = {1,    0,    0,    0,  // count
                              1,    0,    0,    0,    1,    0,
                              0,    0,    16,   0,    0,    0,     // bone_count, frame_count, block_size
                              1,    0,    11,   0,    0,           // stream_frame_count, stream_size, key_bits
                              0x00, 0x01, 0xFF, 0xFE, 0x00, 0x00,  // translation 1, -2, 0
                              0x40, 0x0F, 0xFF, 0x00, 0x00};       // angles 0x400, 0xFFF, 0x000, 4 tail bits

TEST(BattleAnimation, FirstFrameHoldsAbsoluteValues) {
    const BattlePack pack = decodeSound(kOneFrame);
    ASSERT_EQ(pack.animations.size(), 1U);
    const BattleAnimation& animation = pack.animations[0];
    EXPECT_EQ(animation.offset, 4U);
    EXPECT_EQ(animation.rotationCount, 1U);
    ASSERT_EQ(animation.frames.count(), 1U);
    EXPECT_EQ(animation.frames.translations[0], (Position{1, -2, 0}));
    EXPECT_EQ(animation.frames.rotations[0], (AngleTriple{1024, 4095, 0}));
}

// One triple, key_bits 4: 8 bits per angle, changes in units of 16. Written bit by bit, by docs/formats.
//   frame 0: translation 0, 0, 0 (48 bits), angles 0x00, 0x80, 0x7F
//   frame 1: translation changes 0 0000001 (+1), 0 1000000 (-64), 1 0000000001000000 (+64)
//            angle changes 0 (none), 1 000 (-1), 1 001 0 (c = 1: 0 + 1 = +1)
//   frame 2: translation changes 0, 0, 0 (3 x 8 bits)
//            angle changes 1 110 011111 (c = 6: 31 + 32 = +63), 1 110 100000 (-32 - 32 = -64), 1 111 01000000 (+64)
ByteVector threeFrames() {
    const std::string bits =
        "000000000000000000000000000000000000000000000000"
        "00000000"
        "10000000"
        "01111111"
        "00000001"
        "01000000"
        "10000000001000000"
        "0"
        "1000"
        "10010"
        "000000000000000000000000"
        "1110011111"
        "1110100000"
        "111101000000";
    ByteVector stream((bits.size() + 7) / 8);
    for (std::size_t i = 0; i < bits.size(); ++i)
        stream[i / 8] = static_cast<std::uint8_t>(stream[i / 8] | (bits[i] == '1' ? 0x80U >> i % 8 : 0U));
    const auto size = static_cast<std::uint8_t>(stream.size());
    const auto block = static_cast<std::uint8_t>((5 + size + 3) / 4 * 4);
    ByteVector file = {1, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, block, 0, 0, 0, 3, 0, size, 0, 4};
    std::ranges::copy(stream, std::back_inserter(file));
    file.resize(16U + block);
    return file;
}

TEST(BattleAnimation, LaterFramesHoldChanges) {
    const BattlePack pack = decodeSound(threeFrames());
    const Frames& frames = pack.animations.at(0).frames;
    ASSERT_EQ(frames.count(), 3U);
    EXPECT_EQ(frames.rotations[0], (AngleTriple{0, 0x800, 0x7F0}));
    EXPECT_EQ(frames.translations[1], (Position{1, -64, 64}));
    EXPECT_EQ(frames.rotations[1], (AngleTriple{0, 0x7F0, 0x800}));
    EXPECT_EQ(frames.translations[2], (Position{1, -64, 64}));
    EXPECT_EQ(frames.rotations[2], (AngleTriple{63 * 16, 0x7F0 - 64 * 16, 0x800 + 64 * 16}));
    EXPECT_EQ(encode(pack), threeFrames());
}

TEST(BattleAnimation, TheRunningAngleWraps) {
    BattlePack pack = decodeSound(kOneFrame);
    Frames& frames = pack.animations[0].frames;
    pack.animations[0].keyBits = 0;
    frames = {};
    for (int frame = 0; frame < 700; ++frame) {
        frames.translations.push_back({static_cast<std::int16_t>(frame * 97), 0, 0});
        frames.rotations.push_back({static_cast<Angle>(frame * 63 & 4095), static_cast<Angle>(-frame * 2048 & 4095),
                                    static_cast<Angle>(frame * 2047 & 4095)});
    }
    const BattlePack again = decodeSound(encode(pack));
    EXPECT_EQ(again.animations[0].frames.rotations, frames.rotations);
    EXPECT_EQ(again.animations[0].frames.translations, frames.translations);
}

TEST(BattleAnimation, TailBitsAndPaddingAreKept) {
    ByteVector file = kOneFrame;
    file.back() = 0x0D;  // the four bits after the last angle
    file[12] = 19;       // block_size
    file.insert(file.end(), {0xA1, 0xB2, 0xC3});
    const BattlePack pack = decodeSound(file);
    EXPECT_EQ(pack.animations[0].frames.tailBits, 0x0D);
    EXPECT_EQ(pack.animations[0].padding, (ByteVector{0xA1, 0xB2, 0xC3}));
    EXPECT_EQ(encode(pack), file);
}

TEST(BattleAnimation, ShortChunksAreSpecialAndKeepTheirPlace) {
    ByteVector file = {2, 0, 0, 0, 5, 0, 0, 0, 9, 0, 0, 0, 4, 0, 0, 0, 0x0B, 0x2C, 0, 0};
    file.insert(file.end(), kOneFrame.begin() + 4, kOneFrame.end());
    const BattlePack pack = decodeSound(file);
    ASSERT_EQ(pack.animations.size(), 2U);
    EXPECT_EQ(pack.animations[0].kind, BattleAnimation::Kind::special);
    EXPECT_EQ(pack.animations[0].raw, (ByteVector{0x0B, 0x2C, 0, 0}));
    EXPECT_EQ(pack.animations[1].frames.count(), 1U);
    EXPECT_EQ(encode(pack), file);
}

TEST(BattleAnimation, WideFormsAreWrittenBackWide) {
    // the second frame of one triple: translation 1 and -1 and 0 as 17 bits each, angles 0, -1, +1 as full width
    ByteVector file = kOneFrame;
    file[4 + 4] = 2;  // frame_count
    file[16] = 2;     // stream_frame_count
    file.resize(21);  // the stream follows
    core::ByteVector stream;
    const std::string bits =
        "000000000000000000000000000000000000000000000000"
        "000000000000"
        "000000000001"
        "000000000010"
        "10000000000000001"
        "11111111111111111"
        "10000000000000000"
        "1111000000000000"
        "1111111111111111"
        "1111000000000001";
    stream.resize((bits.size() + 7) / 8);
    for (std::size_t i = 0; i < bits.size(); ++i)
        stream[i / 8] = static_cast<std::uint8_t>(stream[i / 8] | (bits[i] == '1' ? 0x80U >> i % 8 : 0U));
    file[18] = static_cast<std::uint8_t>(stream.size());
    file[12] = static_cast<std::uint8_t>(stream.size() + 5);
    file.insert(file.end(), stream.begin(), stream.end());
    const BattlePack pack = decodeSound(file);
    EXPECT_EQ(pack.animations[0].frames.rotations[1], (AngleTriple{0, 0, 3}));
    EXPECT_EQ(pack.animations[0].frames.translations[1], (Position{1, -1, 0}));
    ASSERT_EQ(pack.animations[0].frames.wideRuns.size(), 1U);
    EXPECT_EQ(pack.animations[0].frames.wideRuns[0].count, 6U);
    EXPECT_EQ(encode(pack), file);
}

TEST(BattleAnimation, TheSkeletonTellsBodyFromWeapon) {
    const ByteVector file =
        test::readBytes(test::sourceFolder() / "tests/data/conformance/ff7/inputs/joints_option.da");
    const BattlePack pack = decodeSound(file, {10, std::nullopt});
    ASSERT_EQ(pack.animations.size(), 3U);
    EXPECT_EQ(pack.animations[0].rotationCount, 11U);
    EXPECT_EQ(pack.animations[1].rotationCount, 11U);
    EXPECT_EQ(pack.animations[2].rotationCount, 1U);
}

TEST(BattleAnimation, ASkeletonThatDoesNotFitIsNamedWithBothNumbers) {
    const ByteVector file = test::readBytes(test::sourceFolder() / "tests/data/conformance/ff7/inputs/plain_key0.da");
    Surroundings surroundings;
    try {
        (void)decode(file, surroundings, {40, std::nullopt});
        FAIL() << "decoded";
    } catch (const core::DecodeError& error) {
        EXPECT_STREQ(
            error.what(),
            "animations[0].rotation_count at 0x10: the frames have 17 rotations, but the skeleton's 40 bones need 41");
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Messages: every one is provoked and compared whole.

struct Patch {
    std::size_t at;
    ByteVector bytes;
};
struct MessageCase {
    const char* name;
    std::vector<Patch> patches;
    std::size_t size;  ///< size of the patched file
    std::vector<std::string> messages;
    std::size_t frames;  ///< number of frames in all animations that are still decoded
};

void PrintTo(const MessageCase& c, std::ostream* out) { *out << c.name; }

class BattleAnimationMessages : public testing::TestWithParam<MessageCase> {};

TEST_P(BattleAnimationMessages, AreWholeAndNothingElseIsLost) {
    const MessageCase& c = GetParam();
    ByteVector file = threeFrames();
    for (const Patch& patch : c.patches)
        std::copy(patch.bytes.begin(), patch.bytes.end(), file.begin() + static_cast<std::ptrdiff_t>(patch.at));
    file.resize(c.size);
    file.shrink_to_fit();
    Surroundings surroundings;
    std::size_t frames = 0;
    try {
        const BattlePack pack = decode(file, surroundings);
        for (const BattleAnimation& animation : pack.animations)
            frames += animation.frames.count();
        EXPECT_EQ(surroundings.warnings(), c.messages);
        core::Diagnostics diagnostics;
        EXPECT_EQ(encodeBattlePack(pack, diagnostics), file);  // everything decoded is written back unchanged
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(std::vector<std::string>{error.what()}, c.messages);
    }
    EXPECT_EQ(frames, c.frames);
}

const std::size_t kWhole =
    threeFrames().size();  // 44: 16 header bytes, 5 of words, 22 of the stream (171 bits), 1 of padding

INSTANTIATE_TEST_SUITE_P(
    All, BattleAnimationMessages,
    testing::Values(
        MessageCase{"CountCut", {}, 3, {"count at 0x0: needs 4 bytes, but only 3 are left"}, 0},
        MessageCase{"NoAnimations", {{0, {0}}}, 4, {"warning: count: is 0, so there are no animations"}, 0},
        MessageCase{"BytesAfter", {}, kWhole + 1, {"warning: trailing: 1 bytes follow the last animation"}, 3},
        MessageCase{"CountTooLarge", {{0, {9}}}, kWhole, {"warning: count: is 9, but the file contains only 1"}, 3},
        MessageCase{"HeaderCut", {}, 11, {"warning: count: is 1, but the file contains only 0"}, 0},
        MessageCase{"FramesCut",
                    {},
                    37,  // 16 stream bytes: frame 1 is complete, frame 2 is not
                    {"warning: animations[0].block_size: only 21 of 28 bytes are present",
                     "warning: animations[0].stream_frame_count: only 2 of 3 frames are present"},
                    2},
        MessageCase{"FirstFrameCut",
                    {},
                    29,
                    {"warning: animations[0].block_size: only 13 of 28 bytes are present",
                     "warning: animations[0].stream: has 8 bytes, but frame 0 needs 9 for 1 rotations"},
                    0},
        MessageCase{
            "SpecialCut", {{12, {8}}}, 20, {"warning: animations[0].block_size: only 4 of 8 bytes are present"}, 0},
        MessageCase{"BlockSizeLies",
                    {{12, {0xF8, 0xFF, 0xFF, 0xFF}}},
                    kWhole,
                    {"warning: animations[0].block_size: only 28 of 4294967288 bytes are present"},
                    3},
        MessageCase{
            "IllegalKey", {{20, {3}}}, kWhole, {"warning: animations[0].key_bits: is 3, expected 0, 2 or 4"}, 0},
        MessageCase{"StreamLargerThanBlock",
                    {{18, {200}}},
                    kWhole,
                    {"warning: animations[0].stream_size: is 200, but the block has only 23 bytes for the stream"},
                    0},
        MessageCase{"StreamSmallerThanAFrame",
                    {{18, {2}}},
                    kWhole,
                    {"warning: animations[0].stream_size: is 2, but frame 0 needs 9 bytes for 1 rotations"},
                    0},
        MessageCase{
            "FrameCountsDiffer",
            {{8, {7}}},
            kWhole,
            {"warning: animations[0].stream_frame_count: is 3, but `frame_count` is 7; `stream_frame_count` is used"},
            3},
        MessageCase{"FrameCountInTheHeaderAlone",
                    {{16, {0}}},
                    kWhole,
                    {"warning: animations[0].stream_frame_count: is 0, but `frame_count` is 3; `frame_count` is used"},
                    3},
        MessageCase{"NoFrames", {{16, {0}}, {8, {0}}}, kWhole, {"warning: animations[0].stream: contains 0 frames"}, 0},
        MessageCase{"MoreFramesPromised",
                    {{16, {5}}, {8, {5}}},
                    kWhole,
                    {"warning: animations[0].stream_frame_count: only 3 of 5 frames are present"},
                    3},
        MessageCase{"FewerFramesThanTheStreamHolds",
                    {{16, {2}}, {8, {2}}},
                    kWhole,
                    {"warning: animations[0].rotation_count: no number of rotations per frame fits the stream: 1 "
                     "rotations fit best, but leave 7 bytes unused"},
                    2},
        MessageCase{
            "BoneCountAbsurd",
            {{4, {0, 0, 0, 0x40}}, {16, {5}}, {8, {5}}},
            kWhole,
            {"warning: animations[0].stream: has 22 bytes, but frame 0 needs 3221225478 for 1073741824 rotations"},
            0}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(BattleAnimation, TheKnownFileWithoutFrameCountIsRead) {
    const ByteVector file =
        test::readBytes(test::sourceFolder() / "tests/data/conformance/ff7/inputs/no_stream_frames.da");
    Surroundings surroundings;
    const BattlePack pack = decode(file, surroundings);
    ASSERT_EQ(pack.animations.size(), 3U);
    EXPECT_FALSE(pack.animations[1].streamFrameCount.has_value());
    EXPECT_EQ(pack.animations[1].frames.count(), 10U);
    EXPECT_EQ(surroundings.warnings(),
              std::vector<std::string>{
                  "warning: animations[1].stream_frame_count: is missing in this layout; `frame_count` is used"});
    EXPECT_EQ(encode(pack), file);
}

TEST(BattleAnimation, ABoneCountThatTheFramesDoNotHaveIsNoted) {
    ByteVector file = kOneFrame;
    file[4] = 7;
    Surroundings surroundings;
    EXPECT_EQ(decode(file, surroundings).animations.at(0).rotationCount, 1U);
    ASSERT_EQ(surroundings.diagnostics.warnings().size(), 1U);
    EXPECT_EQ(surroundings.diagnostics.warnings()[0].message(),
              "note: animations[0].bone_count: is 7, but the stream has 1 rotations per frame");
}

TEST(BattleAnimation, MoreSamplesThanTheLimitAreRefused) {
    Surroundings surroundings;
    surroundings.limits.samples = 5;  // three frames of a translation and a rotation are six
    try {
        (void)decode(threeFrames(), surroundings);
        FAIL() << "decoded";
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.kind(), core::DecodeError::Kind::limit);
        EXPECT_STREQ(error.what(),
                     "animations[0].stream at 0x10: the file decodes to more samples than the limit allows (see option "
                     "limit-samples=N)");
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Edits

TEST(EncodeBattlePack, RecomputesCountersThatNoLongerFit) {
    BattlePack pack = decodeSound(threeFrames());
    Frames& frames = pack.animations[0].frames;
    frames.translations.push_back({7, 7, 7});
    frames.rotations.push_back({16, 32, 48});
    core::Diagnostics diagnostics;
    const ByteVector file = encodeBattlePack(pack, diagnostics);
    ASSERT_EQ(diagnostics.warnings().size(), 2U);
    EXPECT_EQ(diagnostics.warnings()[0].message(),
              "warning: animations[0].stream_frame_count: is 3, but there are 4 frames");
    EXPECT_EQ(diagnostics.warnings()[1].message(),
              "warning: animations[0].stream_size: is 22, but the frames need 30 bytes");
    const BattlePack again = decodeSound(file);
    EXPECT_EQ(again.animations[0].frames.rotations, frames.rotations);
    EXPECT_EQ(again.animations[0].frameCount, 4U);
}

TEST(EncodeBattlePack, SaysWhichBitsHaveNoRoom) {
    BattlePack pack = decodeSound(kOneFrame);
    pack.animations[0].frames.tailBits = 0xFE;  // four bits follow the last angle
    core::Diagnostics diagnostics;
    ByteVector expected = kOneFrame;
    expected.back() = 0x0E;
    EXPECT_EQ(encodeBattlePack(pack, diagnostics), expected);
    ASSERT_EQ(diagnostics.warnings().size(), 1U);
    EXPECT_EQ(diagnostics.warnings()[0].message(),
              "warning: animations[0].tail_bits: is 254, but 14 is written, because the last byte of the frames has no "
              "room for more bits");
}

TEST(EncodeBattlePack, WritesDamagedChunksWholeOnceTheyAreEdited) {
    BattlePack pack;
    pack.count = 1;
    BattleAnimation& animation = pack.animations.emplace_back();
    animation.kind = BattleAnimation::Kind::damaged;
    animation.blockSize = 9;
    animation.raw = {1, 2};
    animation.missing = 3;
    core::Diagnostics diagnostics;
    EXPECT_EQ(encodeBattlePack(pack, diagnostics), (ByteVector{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 2}));
    ASSERT_EQ(diagnostics.warnings().size(), 2U);
    EXPECT_EQ(diagnostics.warnings()[0].message(),
              "warning: animations[0].block_size: is 9, but the chunk has 2 bytes");
    EXPECT_EQ(diagnostics.warnings()[1].message(),
              "warning: animations[0].missing: is 3, but the written chunk has no missing bytes");
}

TEST(EncodeBattlePack, AddsTheFrameCountThatOtherFramesNeed) {
    Surroundings surroundings;
    BattlePack pack = decode(
        test::readBytes(test::sourceFolder() / "tests/data/conformance/ff7/inputs/no_stream_frames.da"), surroundings);
    BattleAnimation& animation = pack.animations.at(1);
    animation.rotationCount = 1;
    // In the usual layout, the first bytes of these frames would belong to a stream size of 260 and be a legal key.
    animation.frames.translations.assign(100, {0x100, 2, 3});
    animation.frames.rotations.assign(100, {16, 32, 48});
    core::Diagnostics diagnostics;
    const BattlePack again = decodeSound(encodeBattlePack(pack, diagnostics));
    EXPECT_EQ(again.animations.at(1).streamFrameCount, 100);
    EXPECT_EQ(again.animations.at(1).frames.rotations, animation.frames.rotations);
    std::vector<std::string> messages;
    for (const core::Warning& warning : diagnostics.warnings())
        messages.push_back(warning.message());
    EXPECT_NE(std::find(messages.begin(), messages.end(),
                        "warning: animations[1].stream_frame_count: is missing; 100 is written, so that the layout can "
                        "be recognised"),
              messages.end())
        << testing::PrintToString(messages);
}

TEST(EncodeBattlePack, TakesAFinerKeyForAnAngleThatNeedsIt) {
    BattlePack pack = decodeSound(threeFrames());
    pack.animations[0].frames.rotations[1][0] = 3;
    core::Diagnostics diagnostics;
    const BattlePack again = decodeSound(encodeBattlePack(pack, diagnostics));
    EXPECT_EQ(diagnostics.warnings().front().message(),
              "warning: animations[0].key_bits: is 4, but at least one angle is not a multiple of 16; 0 is written");
    EXPECT_EQ(again.animations[0].keyBits, 0);
    EXPECT_EQ(again.animations[0].frames.rotations, pack.animations[0].frames.rotations);
}

TEST(EncodeBattlePack, RefusesWhatTheFormatCantHold) {
    BattlePack pack = decodeSound(kOneFrame);
    Frames& frames = pack.animations[0].frames;
    std::mt19937 random(5);
    while (frames.count() < 10000) {
        frames.translations.push_back({static_cast<std::int16_t>(random()), 0, 0});
        frames.rotations.push_back({static_cast<Angle>(random() % 4096), static_cast<Angle>(random() % 4096), 0});
    }
    try {
        (void)encode(pack);
        FAIL() << "encoded";
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.field(), "animations[0].stream_size");
        EXPECT_NE(error.problem().find("the format allows 65535"), std::string::npos) << error.problem();
    }
    frames = {};
    EXPECT_THROW((void)encode(pack), core::DecodeError);
}

TEST(EncodeBattlePack, RefusesFramesThatAreNotWhole) {
    const auto problemAfter = [](const auto& edit) {
        BattlePack pack = decodeSound(kOneFrame);
        edit(pack.animations[0].frames);
        try {
            (void)encode(pack);
            return std::string();
        } catch (const core::DecodeError& error) {
            return std::string(error.what());
        }
    };
    EXPECT_EQ(problemAfter([](Frames& frames) {
                  frames.translations.push_back({1, 2, 3});
              }),
              "animations[0].frames: has 1 rotations, expected 1 for each of 2 frames");
    EXPECT_EQ(problemAfter([](Frames& frames) { frames.rotations.clear(); }),
              "animations[0].frames: has 0 rotations, expected 1 for each of 1 frames");
    EXPECT_EQ(problemAfter([](Frames& frames) { frames.rotations[0][2] = 4096; }),
              "animations[0].frames: has the angle 4096, expected 0 to 4095");
}

TEST(CoarsestKey, IsTheLargestThatLosesNothing) {
    EXPECT_EQ(coarsestKey({{16, 32, 4080}}), 4);
    EXPECT_EQ(coarsestKey({{16, 32, 4}}), 2);
    EXPECT_EQ(coarsestKey({{16, 32, 2}}), 0);
}

BattleAnimation randomAnimation(std::mt19937& random) {
    const auto upTo = [&random](std::uint32_t most) { return 1 + static_cast<std::uint32_t>(random() % most); };
    BattleAnimation animation;
    animation.rotationCount = upTo(30);
    animation.boneCount = animation.rotationCount;
    animation.keyBits = kKeyBits[random() % 3];
    animation.streamFrameCount = static_cast<std::uint16_t>(upTo(20));
    animation.frameCount = *animation.streamFrameCount;
    const unsigned spread = 1U << random() % 13;
    for (std::uint32_t frame = 0; frame < animation.frameCount; ++frame) {
        animation.frames.translations.push_back({static_cast<std::int16_t>(random() % spread * 16),
                                                 static_cast<std::int16_t>(random()),
                                                 static_cast<std::int16_t>(random() % 64)});
        for (std::uint32_t triple = 0; triple < animation.rotationCount; ++triple) {
            const auto angle = [&] { return static_cast<Angle>((random() % spread << animation.keyBits) & 4095); };
            animation.frames.rotations.push_back({angle(), angle(), angle()});
        }
    }
    return animation;
}

TEST(RandomPacks, DecodeToWhatWasEncoded) {
    std::mt19937 random(6);
    for (int round = 0; round < 200; ++round) {
        BattlePack pack;
        pack.count = 1 + static_cast<std::uint32_t>(random() % 4);
        for (std::uint32_t i = 0; i < pack.count; ++i)
            pack.animations.push_back(randomAnimation(random));
        const BattlePack again = decodeSound(encode(pack));
        ASSERT_EQ(again.animations.size(), pack.animations.size());
        for (std::size_t i = 0; i < pack.animations.size(); ++i) {
            EXPECT_EQ(again.animations[i].frames.rotations, pack.animations[i].frames.rotations);
            EXPECT_EQ(again.animations[i].frames.translations, pack.animations[i].frames.translations);
            EXPECT_TRUE(again.animations[i].frames.wideRuns.empty());
        }
    }
}

/// Removes the last frames, or doubles all.
void editFrames(Frames& frames, std::uint32_t rotationCount, std::mt19937& random) {
    if (frames.count() > 1 && random() % 2 == 0) {
        frames.translations.resize(frames.count() - 1 - random() % (frames.count() - 1));
        frames.rotations.resize(frames.count() * rotationCount);
    } else {
        frames.translations.insert(frames.translations.end(), frames.translations.begin(), frames.translations.end());
        frames.rotations.insert(frames.rotations.end(), frames.rotations.begin(), frames.rotations.end());
    }
}

/// Removes triples from every frame, or appends some.
void editTriples(BattleAnimation& animation, std::mt19937& random) {
    const std::uint32_t before = animation.rotationCount;
    animation.rotationCount = 1 + static_cast<std::uint32_t>(random() % (before + 5));
    if (animation.rotationCount == before)
        ++animation.rotationCount;
    std::vector<AngleTriple> rotations;
    for (std::size_t frame = 0; frame < animation.frames.count(); ++frame)
        for (std::uint32_t triple = 0; triple < animation.rotationCount; ++triple)
            rotations.push_back(triple < before ? animation.frames.rotations[frame * before + triple]
                                                : AngleTriple{16, 32, 48});
    animation.frames.rotations = std::move(rotations);
}

TEST(EditedPacks, ReadBackAsEditedAlsoWhereTheFileWasCut) {
    std::mt19937 random(8);
    for (int round = 0; round < 400; ++round) {
        BattlePack whole;
        whole.count = 1;
        whole.animations.push_back(randomAnimation(random));
        ByteVector file = encode(whole);
        const std::size_t afterFirstFrame = 21 + 6 + (std::size_t{whole.animations[0].rotationCount} * 36 + 7) / 8;
        if (round % 2 == 0 && afterFirstFrame < file.size())
            file.resize(afterFirstFrame + random() % (file.size() - afterFirstFrame));
        Surroundings surroundings;
        BattlePack pack = decode(file, surroundings);
        ASSERT_EQ(pack.animations.size(), 1U);
        BattleAnimation& animation = pack.animations[0];
        ASSERT_EQ(animation.rotationCount, whole.animations[0].rotationCount) << "round " << round;
        if (round % 3 != 0)
            editFrames(animation.frames, animation.rotationCount, random);
        if (round % 3 != 1)
            editTriples(animation, random);
        const BattlePack again = decodeSound(encode(pack));
        ASSERT_EQ(again.animations.size(), 1U);
        EXPECT_EQ(again.animations[0].frames.translations, animation.frames.translations) << "round " << round;
        EXPECT_EQ(again.animations[0].frames.rotations, animation.frames.rotations) << "round " << round;
    }
}

TEST(EncodeBattlePack, NoticesOtherTriplesWhereTheSizeHappensToBeTheSame) {
    BattlePack pack = decodeSound(kOneFrame);  // 48 + 36 bits, key_bits 0
    BattleAnimation& animation = pack.animations[0];
    animation.rotationCount = 4;
    animation.keyBits = 4;
    animation.frames.rotations = {{16, 32, 48}, {64, 80, 96}, {16, 32, 48}, {64, 80, 96}};  // 48 + 96 bits: 18 bytes
    animation.streamSize = 18;
    animation.blockSize = 5 + 18 + static_cast<std::uint32_t>(animation.padding.size());
    core::Diagnostics diagnostics;
    const BattlePack again = decodeSound(encodeBattlePack(pack, diagnostics));
    EXPECT_EQ(again.animations[0].frames.rotations, animation.frames.rotations);
}

TEST(EncodeBattlePack, SaysWhichWordsOfAnEditedCutAnimationAreNew) {
    ByteVector file = threeFrames();
    file.resize(37);  // 128 bits of the stream: frame 1 ends after 72 + 43, so 5 bits and a byte of frame 2 follow
    Surroundings surroundings;
    BattlePack pack = decode(file, surroundings);
    BattleAnimation& animation = pack.animations[0];
    animation.rotationCount = 3;
    animation.frames.rotations = {{0, 16, 32}, {0, 16, 32}, {0, 16, 32}, {0, 16, 32}, {0, 16, 32}, {0, 16, 32}};
    core::Diagnostics diagnostics;
    (void)encodeBattlePack(pack, diagnostics);
    ASSERT_EQ(diagnostics.warnings().size(), 5U);
    EXPECT_EQ(diagnostics.warnings()[0].message(),
              "warning: animations[0].stream_frame_count: is 3, but there are 2 frames");
    EXPECT_EQ(diagnostics.warnings()[1].message(),
              "warning: animations[0].tail_bytes: is left out, because its 1 bytes fit only the original frames");
    EXPECT_EQ(diagnostics.warnings()[2].message(),
              "warning: animations[0].bone_count: is 1, but the frames have 3 rotations");
    // frame 0: 48 bits and nine angles of 8; frame 1: changes of 8, 8 and 17 bits and nine of 1: 162 bits
    EXPECT_EQ(diagnostics.warnings()[3].message(),
              "warning: animations[0].stream_size: is 22, but the frames need 21 bytes");
    EXPECT_EQ(diagnostics.warnings()[4].message(),
              "warning: animations[0].missing: is 7, but the new stream has no missing bytes");
}

}  // namespace
}  // namespace reanima::ff7
