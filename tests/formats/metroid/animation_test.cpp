#include "formats/metroid/animation/animation.h"

#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "formats/metroid/animation/animation_json.h"
#include "formats/metroid/animation/values.h"
#include "support/bytes.h"

namespace reanima::metroid {
namespace {

using core::ByteVector;
using test::Surroundings;

Animation decode(const ByteVector& bytes, Surroundings& surroundings, std::optional<Game> game = std::nullopt) {
    return decodeAnimation(bytes, game, surroundings.limits, surroundings.diagnostics);
}

Animation decodeSound(const ByteVector& bytes) {
    Surroundings surroundings;
    Animation animation = decode(bytes, surroundings);
    EXPECT_EQ(surroundings.warnings(), std::vector<std::string>());
    return animation;
}

Json dumpOf(const Animation& animation) {
    const core::Diagnostics none;
    return toJson(animation, core::Limits{}, none);
}

/// Metroid Prime, type 2: bone 3 with rotation and translation, keys in frames 0, 1 and 3.
///
/// 13 bits a key: the sign of W, 4 bits of z, 8 bits of the translation's x.
///   frame 1: 0, 0011 (+3), 11111111 (-1)
///   frame 3: 1, 1000 (-8), 01111111 (+127)
const ByteVector kPrime = {
    0,    0,    0,    2,   0,    0,    2, 0,    0,    0,    0x12,
    0x34, 0,    0,    0,   1,  // type, scratch_size, evnt, unknown_0c
    0x3F, 0xC0, 0,    0,   0x3F, 0,    0, 0,    0,    0,    0,
    3,    0,    0,    0,   1,  // duration 1.5, interval 0.5, root_bone, looping
    0,    0,    0x80, 0,   0x3E, 0x80, 0, 0,    0,    0,    0,
    1,    0,    0,    0,   1,  // rotation_divisor, translation_multiplier 0.25,
    0,    0,    0,    4,   0,    0,    0, 0x0B, 0,    0,    0,
    1,    0,    0,    0,   1,                                   //   channel_count, 1; frame_count, bitmap, counts
    0,    0,    0,    3,                                        // bone
    0,    2,    0,    0,   0,    0,    0, 0,    0x40, 0,    4,  // rotation: 2 keys, 0, 0, 16384 of 4 bits
    0,    2,    0,    100, 8,    0,    0, 0,    0xFF, 0xFB, 0,  // translation: 2 keys, 100 of 8 bits, 0, -5
    0x01, 0xFE, 0x3F, 0xE6};

/// Echoes, type 2: bone 7 with only a scale. Its x changes by -1 in 3 bits.
const ByteVector kEchoes = {
    0,    0, 0,    2,    0,    0,    2, 0, 1,    1,                    // type, scratch_size, unknown_08
    0x3F, 0, 0,    0,    0x3F, 0,    0, 0, 0,    0, 0, 0, 0, 0, 0, 1,  // duration, interval, root_bone, looping
    0,    0, 0x7F, 0xFF, 0x3E, 0x80, 0, 0, 0x3F, 0, 0, 0,              // divisor, translation and scale multipliers
    0,    0, 0,    1,    0,    0,    0, 1, 0,    0, 0, 2, 0, 0, 0, 3,  // channel_count, 1, frame_count, bitmap
    0,    0, 0,    1,    7,    0,    0, 0, 0,           // channel_count_2, bone, no rotation, no translation
    0,    1, 0,    2,    3,    0,    2, 0, 0,    4, 0,  // scale: 1 key, 2 of 3 bits, 2, 4
    0,    0, 0,    7};

TEST(StreamAnimation, HoldsChangesFromTheLeastSignificantBitOn) {
    const Animation animation = decodeSound(kPrime);
    EXPECT_EQ(animation.game, Game::prime);
    EXPECT_EQ(animation.events, 0x1234U);
    EXPECT_EQ(animation.rootBone, 3U);
    EXPECT_EQ(animation.duration, 1.5F);
    const StreamAnimation& stream = *animation.stream();
    EXPECT_EQ(stream.looping, 1U);
    EXPECT_EQ(keyFrames(animation), (std::vector<std::uint32_t>{0, 1, 3}));
    ASSERT_EQ(stream.channels.size(), 1U);
    EXPECT_EQ(stream.channels[0].signs, (std::vector<std::int32_t>{0, -1}));
    EXPECT_EQ(stream.channels[0].rotation->components[2].changes, (std::vector<std::int32_t>{3, -8}));
    EXPECT_EQ(stream.channels[0].translation->components[0].changes, (std::vector<std::int32_t>{-1, 127}));
    EXPECT_EQ(encodeAnimation(animation), kPrime);
}

TEST(StreamAnimation, NumbersAreSinesAndMultiples) {
    const ChannelValues values = ValueReader(decodeSound(kPrime))[0];
    ASSERT_EQ(values.rotations.size(), 3U);
    // sin(16384, 16387 and 16379 * pi / 65536), and W of the sign in the stream
    const std::array<std::array<double, 2>, 3> expected = {{{0.7071067811865475, 0.7071067811865476},
                                                            {0.7070050843545, 0.7072084633946},
                                                            {-0.7072762434077, 0.7069372783430}}};
    for (std::size_t key = 0; key < expected.size(); ++key) {
        EXPECT_NEAR(values.rotations[key].w, expected[key][0], 1e-12) << key;
        EXPECT_NEAR(values.rotations[key].z, expected[key][1], 1e-12) << key;
        EXPECT_EQ(values.rotations[key].x, 0);
    }
    ASSERT_EQ(values.translations.size(), 3U);
    EXPECT_EQ(values.translations[0], glm::dvec3(25, 0, -1.25));
    EXPECT_EQ(values.translations[1], glm::dvec3(24.75, 0, -1.25));
    EXPECT_EQ(values.translations[2], glm::dvec3(56.5, 0, -1.25));
}

TEST(StreamAnimation, RunningValuesWrapAtSixteenBits) {
    ByteVector file = kPrime;
    file[0x51] = 0x7F;  // 32767
    file[0x52] = 0xFF;
    const ChannelValues values = ValueReader(decodeSound(file))[0];
    EXPECT_EQ(values.translations[1].x, 32766 * 0.25);
    EXPECT_EQ(values.translations[2].x, (32766 + 127 - 65536) * 0.25);
}

TEST(StreamAnimation, OfEchoesHasScales) {
    const Animation animation = decodeSound(kEchoes);
    EXPECT_EQ(animation.game, Game::echoes);
    const ChannelValues values = ValueReader(animation)[0];
    EXPECT_EQ(values.bone, 7U);
    EXPECT_TRUE(values.rotations.empty());
    ASSERT_EQ(values.scales.size(), 2U);
    EXPECT_EQ(values.scales[0], glm::dvec3(1, 1, 2));
    EXPECT_EQ(values.scales[1], glm::dvec3(0.5, 1, 2));
    EXPECT_EQ(encodeAnimation(animation), kEchoes);
}

TEST(StreamAnimation, TheFirstBitOfTheBitmapIsNotUsed) {
    ByteVector file = kPrime;
    file[0x37] = 0x0A;
    const Animation animation = decodeSound(file);
    EXPECT_EQ(keyFrames(animation), (std::vector<std::uint32_t>{0, 1, 3}));
    EXPECT_EQ(encodeAnimation(animation), file);
}

TEST(Game, MayBeTold) {
    Surroundings surroundings;
    EXPECT_THROW((void)decode(kPrime, surroundings, Game::echoes), core::DecodeError);
    EXPECT_EQ(decode(kPrime, surroundings, Game::prime).game, Game::prime);
}

// ---------------------------------------------------------------------------------------------------------------------
// Type 0

void append(ByteVector& bytes, std::initializer_list<float> numbers) {
    for (const float number : numbers) {
        const auto bits = std::bit_cast<std::uint32_t>(number);
        for (const unsigned shift : {24U, 16U, 8U, 0U})
            bytes.push_back(static_cast<std::uint8_t>(bits >> shift));
    }
}

/// Metroid Prime, type 0, one frame: bone 1 uses array 1 and translation 0, bone 2 array 0 and no translation.
ByteVector primeArrays() {
    ByteVector file = {0, 0, 0, 0};
    append(file, {0});
    file.insert(file.end(), {0, 0, 0, 1});
    append(file, {0.5F});
    file.insert(file.end(), {0, 0, 0, 1, 0,    0, 0, 1, 0, 0, 0, 3,  // interval_kind, key_count, root_bone
                             0, 0, 0, 3, 0xFF, 1, 0,                 // slots of bones 0, 1, 2
                             0, 0, 0, 2, 0xFF, 0,                    // translation_of channels 0, 1
                             0, 0, 0, 2});                           // rotations_count
    append(file, {1, 0, 0, 0, 0.5F, 0.5F, 0.5F, 0.5F});
    file.insert(file.end(), {0, 0, 0, 1});
    append(file, {1, 2, 3});
    file.insert(file.end(), {0, 0, 0, 9});  // evnt
    return file;
}

TEST(ArrayAnimation, FollowsItsTablesByValue) {
    const ByteVector file = primeArrays();
    const Animation animation = decodeSound(file);
    const ValueReader values(animation);
    EXPECT_EQ(values.bones(), (std::vector<std::uint32_t>{1, 2}));
    EXPECT_EQ(values[0].rotations, std::vector<glm::dquat>{glm::dquat(0.5, 0.5, 0.5, 0.5)});
    EXPECT_EQ(values[0].translations, std::vector<glm::dvec3>{glm::dvec3(1, 2, 3)});
    EXPECT_EQ(values[1].rotations, std::vector<glm::dquat>{glm::dquat(1, 0, 0, 0)});
    EXPECT_TRUE(values[1].translations.empty());
    EXPECT_EQ(animation.events, 9U);
    EXPECT_EQ(encodeAnimation(animation), file);
}

// ---------------------------------------------------------------------------------------------------------------------
// Messages

struct BrokenAnimation {
    const char* name;
    const ByteVector& original;
    std::size_t at;
    ByteVector bytes;
    std::size_t size;  // size of the file; 0: unchanged
    const char* message;
};
void PrintTo(const BrokenAnimation& c, std::ostream* out) { *out << c.name; }
class AnimationMessages : public testing::TestWithParam<BrokenAnimation> {};

TEST_P(AnimationMessages, AreWhole) {
    ByteVector file = GetParam().original;
    std::copy(GetParam().bytes.begin(), GetParam().bytes.end(),
              file.begin() + static_cast<std::ptrdiff_t>(GetParam().at));
    if (GetParam().size > 0)
        file.resize(GetParam().size);
    file.shrink_to_fit();
    Surroundings surroundings;
    std::string message;
    try {
        const Animation animation = decode(file, surroundings);
        EXPECT_EQ(encodeAnimation(animation), file);
        for (const std::string& warning : surroundings.warnings())
            message += (message.empty() ? "" : "\n") + warning;
    } catch (const core::DecodeError& error) {
        message = error.what();
    }
    EXPECT_EQ(message, GetParam().message);
}

const ByteVector kArrays = primeArrays();
const ByteVector kTwice = [] {
    ByteVector file = kEchoes;
    file[0x29] = file[0x39] = 2;  // channel_count, channel_count_2
    const ByteVector channel(file.begin() + 0x3A, file.begin() + 0x4A);
    file.insert(file.begin() + 0x4A, channel.begin(), channel.end());
    return file;
}();
const ByteVector kStill = [] {
    ByteVector file(kPrime.begin(), kPrime.begin() + 0x40);
    file[0x2B] = file[0x3B] = file[0x3F] = 0;  // channel_count, channel_count_2, channel_count_3
    return file;
}();
/// Echoes, type 0, one frame: bone 1 has array 0 of rotations, translations and scales.
ByteVector echoesArrays(ByteVector rotationOf = {0}) {
    ByteVector file = {0, 0, 0, 0};
    append(file, {0});
    file.insert(file.end(), {0, 0, 0, 1});  // duration_kind
    append(file, {0.5F});
    file.insert(file.end(), {0, 0, 0, 1, 0,    0, 0, 1, 0, 0, 0, 3,  // interval_kind, key_count, root_bone
                             0, 0, 0, 2, 0xFF, 0,                    // slots of bones 0 and 1
                             0, 0, 0});
    file.push_back(static_cast<std::uint8_t>(rotationOf.size()));
    file.insert(file.end(), rotationOf.begin(), rotationOf.end());
    file.insert(file.end(), {0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});  // translation_of, scale_of, scales_count
    append(file, {1, 1, 2});
    file.insert(file.end(), {0, 0, 0, 1});
    append(file, {1, 0, 0, 0});
    file.insert(file.end(), {0, 0, 0, 1});
    append(file, {1, 2, 3});
    return file;
}
const ByteVector kEchoesArrays = echoesArrays();
const ByteVector kUnevenTables = echoesArrays({0, 0});
const ByteVector kCorruptionArrays = [] {
    ByteVector file = echoesArrays();
    file.insert(file.begin() + 4, {0, 1});
    return file;
}();
const ByteVector kNaN = {0x7F, 0xC0, 0, 0};
const ByteVector kOnes = {0xFF, 0xFF, 0xFF, 0xFF};

INSTANTIATE_TEST_SUITE_P(
    All, AnimationMessages,
    testing::Values(
        BrokenAnimation{"TypeCut", kPrime, 0, {}, 3, "type at 0x0: needs 4 bytes, but only 3 are left"},
        BrokenAnimation{"TypeUnknown", kPrime, 3, {9}, 0, "type at 0x0: is 9, expected 0 or 2"},
        BrokenAnimation{"Corruption",
                        kPrime,
                        3,
                        {1},
                        0,
                        "type at 0x0: is 1, as in animations of Metroid Prime 3: Corruption, which can't be read"},
        BrokenAnimation{"Remastered",
                        kPrime,
                        0,
                        {'R', 'F', 'R', 'M'},
                        0,
                        "type at 0x0: is \"RFRM\", as in files of Metroid Prime Remastered, which can't be read"},
        BrokenAnimation{"HeaderCut", kPrime, 0, {}, 0x2E, "frame_count at 0x2e: needs 4 bytes, but only 0 are left"},
        BrokenAnimation{"DurationNoNumber", kPrime, 0x10, kNaN, 0,
                        "duration at 0x10: is nan, expected a number of seconds"},
        BrokenAnimation{
            "DurationZero", kPrime, 0x10, {0, 0, 0, 0}, 0, "duration at 0x10: is 0, expected a number of seconds"},
        BrokenAnimation{"IntervalNoNumber", kPrime, 0x14, kNaN, 0,
                        "interval at 0x14: is nan, expected a number of seconds"},
        BrokenAnimation{"IntervalTooLong",  // a float can't store the time of the last frame
                        kPrime,
                        0x14,
                        {0x7E, 0x80, 0, 0},
                        0,
                        "interval at 0x14: is 8.507059e+37, expected a number of seconds"},
        BrokenAnimation{
            "DivisorZero", kPrime, 0x22, {0, 0}, 0, "rotation_divisor at 0x20: is 0, but channels have rotations"},
        BrokenAnimation{"MultiplierNoNumber", kPrime, 0x24, kNaN, 0,
                        "translation_multiplier at 0x24: is nan, expected a number other than 0, because channels are "
                        "multiplied by it"},
        BrokenAnimation{"FrameCountAbsurd", kPrime, 0x30, kOnes, 0,
                        "frame_count at 0x30: is 4294967295, but the file has room for only 320"},
        BrokenAnimation{"FrameCountZero", kPrime, 0x33, {0}, 0, "frame_count at 0x30: is 0, expected at least 1"},
        BrokenAnimation{
            "BitmapCut", kPrime, 0, {}, 0x36, "frame_count at 0x30: is 4, but the file has room for only 0"},
        BrokenAnimation{"ChannelCountAbsurd", kPrime, 0x3C, kOnes, 0,
                        "channel_count_3 at 0x3c: is 4294967295, but the file has room for only 3"},
        BrokenAnimation{"ChannelCut",
                        kPrime,
                        0,
                        {},
                        0x48,
                        "channels[0].rotation.x.bits at 0x48: needs 1 byte, but only 0 are left"},
        BrokenAnimation{
            "WidthTooLarge", kPrime, 0x4E, {99}, 0, "channels[0].rotation.z.bits at 0x4e: is 99, expected 0 to 32"},
        BrokenAnimation{"StreamCut", kPrime, 0, {}, 0x5D, "stream at 0x5a: needs 4 bytes, but only 3 are left"},
        BrokenAnimation{
            "ScaleMultiplierZero",
            kEchoes,
            0x22,
            {0, 0, 0, 0},
            0,
            "scale_multiplier at 0x22: is 0, expected a number other than 0, because channels are multiplied by it"},
        BrokenAnimation{"ScaleMultiplierHuge",  // scales times translations would be no floats
                        kEchoes,
                        0x22,
                        {0x60, 0, 0, 0},
                        0,
                        "scale_multiplier at 0x22: is 3.689349e+19, expected a number other than 0, because channels "
                        "are multiplied by it"},
        BrokenAnimation{"EchoesChannelCountAbsurd", kEchoes, 0x36, kOnes, 0,
                        "channel_count_2 at 0x36: is 4294967295, but the file has room for only 2"},
        BrokenAnimation{
            "KeyCountAbsurd",
            kArrays,
            0x04,
            {0x3F, 0x80, 0, 0, 0, 0, 0, 1, 0x3F, 0, 0, 0, 0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF},
            0,
            "key_count at 0x14: the file decodes to more samples than the limit allows (see option limit-samples=N)"},
        BrokenAnimation{"SlotsAbsurd", kArrays, 0x1C, kOnes, 0,
                        "slots at 0x20: needs 4294967295 bytes, but only 65 are left"},
        BrokenAnimation{
            "SlotOutside", kArrays, 0x21, {49}, 0, "slots[1] at 0x21: is 49, but there are only 2 arrays of rotations"},
        BrokenAnimation{"TranslationOutside",
                        kArrays,
                        0x28,
                        {5},
                        0,
                        "translation_of[1] at 0x28: is 5, but there are only 1 arrays of translations"},
        BrokenAnimation{"RotationsAbsurd", kArrays, 0x29, kOnes, 0,
                        "rotations_count at 0x29: is 4294967295, but the file has room for only 3"},
        BrokenAnimation{"TranslationsUneven",
                        kArrays,
                        0x04,
                        {0x3F, 0, 0, 0, 0, 0, 0, 1, 0x3F, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2},
                        0,
                        "translations_count at 0x4d: is 1, expected a multiple of the 2 keys"},
        BrokenAnimation{"ScaleOutside",
                        kEchoesArrays,
                        0x30,
                        {5},
                        0,
                        "scale_of[0] at 0x30: is 5, but there are only 1 arrays of scales"},
        BrokenAnimation{
            "CorruptionArrays",
            kCorruptionArrays,
            0,
            {},
            0,
            "type at 0x0: is 0, but the arrays have the layout of Metroid Prime 3: Corruption, which can't be read"},
        BrokenAnimation{"RotationNoNumber", kArrays, 0x2D, kNaN, 0,
                        "rotations[0] at 0x2d: is nan, expected a number of at most 1e18"},
        BrokenAnimation{
            "ArraysCut", kArrays, 0, {}, 0x50, "translations_count at 0x4d: needs 4 bytes, but only 3 are left"},
        // Doubts
        BrokenAnimation{"UnknownWord", kPrime, 0x0F, {2}, 0, "warning: unknown_0c: is 0x2, expected 0x1"},
        BrokenAnimation{"LoopingOdd", kPrime, 0x1F, {2}, 0, "warning: looping: is 2, expected 0 or 1"},
        BrokenAnimation{"DurationWrong",
                        kPrime,
                        0x10,
                        {0x40, 0x40},
                        0,
                        "warning: duration: is 3, but 4 frames at the stated interval last 1.5 seconds; the duration "
                        "of the frames is used"},
        BrokenAnimation{"ChannelCountWrong",
                        kPrime,
                        0x2B,
                        {5},
                        0,
                        "warning: channel_count: is 5, but channel_count_3 is 1; channel_count_3 is used"},
        BrokenAnimation{"ChannelCount2Wrong",
                        kPrime,
                        0x3B,
                        {5},
                        0,
                        "warning: channel_count_2: is 5, but channel_count_3 is 1; channel_count_3 is used"},
        BrokenAnimation{"KeyCountWrong",
                        kPrime,
                        0x45,
                        {7},
                        0,
                        "warning: channel_count_3: 1 of 2 key counts differ from 2, the number in the bitmap (one of "
                        "them is 7); the bitmap is used"},
        BrokenAnimation{
            "SharedBone",
            kTwice,
            0,
            {},
            0,
            "warning: channels[1].bone: is 7, the same as that of an earlier channel; the earlier channel is used"},
        BrokenAnimation{"UnevenTables",
                        kUnevenTables,
                        0,
                        {},
                        0,
                        "warning: scale_of: rotation_of, translation_of and scale_of have 2, 1 and 1 entries, expected "
                        "equal numbers"},
        BrokenAnimation{"NothingMovesInAStream", kStill, 0, {}, 0, "warning: channel_count_3: is 0, so nothing moves"},
        BrokenAnimation{"BytesAfter", kPrime, 0, {}, 0x5F, "warning: padding: 1 bytes follow the content"},
        BrokenAnimation{"TimeKindUnknown", kArrays, 0x0B, {5}, 0, "warning: duration_kind: is 5, expected 0 to 4"},
        BrokenAnimation{"NothingMoves", kArrays, 0x20, {0xFF, 0xFF, 0xFF}, 0, "warning: key_count: nothing moves"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(Limits, KeysAreCountedBeforeMemoryIsReserved) {
    Surroundings surroundings;
    surroundings.limits.samples = 2;
    try {
        (void)decode(kPrime, surroundings, Game::prime);
        FAIL() << "decoded";
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.kind(), core::DecodeError::Kind::limit);
        EXPECT_STREQ(error.what(),
                     "channel_count_3 at 0x3c: the file decodes to more samples than the limit allows (see option "
                     "limit-samples=N)");
    }
    surroundings.limits = {};
    surroundings.limits.memory = 1000;
    try {
        (void)toJson(decode(kPrime, surroundings), surroundings.limits, surroundings.diagnostics);
        FAIL() << "dumped";
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.kind(), core::DecodeError::Kind::limit);
        EXPECT_STREQ(
            error.what(),
            "frame_count at 0x30: would need 1 MiB of memory, but the limit is 0 (see option limit-memory=MIB)");
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Edits

TEST(StreamAnimation, NumbersThatDoNotFitAreRefused) {
    const auto problemAfter = [](const auto& edit) {
        Animation animation = decodeSound(kPrime);
        edit(std::get<StreamAnimation>(animation.content).channels[0]);
        try {
            (void)encodeAnimation(animation);
            return std::string();
        } catch (const core::DecodeError& error) {
            return std::string(error.what());
        }
    };
    EXPECT_EQ(problemAfter([](StreamChannel& channel) { channel.signs.pop_back(); }),
              "channels[0].stored.rotation.signs: has 1 numbers, expected 2");
    EXPECT_EQ(problemAfter([](StreamChannel& channel) { channel.signs[0] = 1; }),
              "channels[0].stored.rotation.signs: 1 does not fit into 1 bits");
    EXPECT_EQ(problemAfter([](StreamChannel& channel) {
                  channel.rotation->components[0].changes = {0, 0};
              }),
              "channels[0].stored.rotation.changes[0]: has 2 numbers, expected 0");
    EXPECT_EQ(problemAfter([](StreamChannel& channel) { channel.rotation->components[2].changes[1] = 8; }),
              "channels[0].stored.rotation.changes[2]: 8 does not fit into 4 bits");
    EXPECT_EQ(problemAfter([](StreamChannel& channel) { channel.translation->components[0].changes[1] = -129; }),
              "channels[0].stored.translation.changes[0]: -129 does not fit into 8 bits");
    EXPECT_EQ(problemAfter([](StreamChannel& channel) { channel.translation->components[0].changes[1] = -128; }), "");
}

struct Edited {
    Animation animation;
    std::vector<std::string> messages;  ///< warnings
    std::vector<std::string> notes{};
};

Edited fromJson(const Json& json) {
    Surroundings surroundings;
    Animation animation = animationFromJson(JsonReader(json), surroundings.limits, surroundings.diagnostics);
    Edited edited{std::move(animation), surroundings.warnings()};
    for (const core::Warning& warning : surroundings.diagnostics.warnings())
        if (warning.severity == core::Warning::Severity::note)
            edited.notes.push_back(warning.message());
    return edited;
}

TEST(AnimationJson, GivesTheFileBack) {
    for (const ByteVector& file : {kPrime, kEchoes, kArrays}) {
        const Edited edited = fromJson(dumpOf(decodeSound(file)));
        EXPECT_EQ(edited.messages, std::vector<std::string>());
        EXPECT_EQ(encodeAnimation(edited.animation), file);
    }
}

/// The error for a JSON that requests more than 8 MiB.
std::string limitError(const Json& json) {
    Surroundings surroundings;
    surroundings.limits.memory = 8U << 20U;
    try {
        (void)animationFromJson(JsonReader(json), surroundings.limits, surroundings.diagnostics);
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.kind(), core::DecodeError::Kind::limit);
        return error.what();
    }
    return "read";
}

TEST(AnimationJson, CountsThatAskForMuchAreBoundedByTheLimits) {
    const Json arrays = dumpOf(decodeSound(kArrays));
    Json json = arrays;
    json["words"]["rotation_arrays"] = 1 << 20;  // each with one key of 16 bytes
    EXPECT_EQ(limitError(json),
              "words.rotation_arrays: would need 16 MiB of memory, but the limit is 8 (see option limit-memory=MIB)");
    json = arrays;
    json["words"]["translation_arrays"] = 700000;  // each of 12 bytes
    EXPECT_EQ(limitError(json),
              "words.translation_arrays: would need 9 MiB of memory, but the limit is 8 (see option limit-memory=MIB)");
    json = arrays;
    json["channels"] = {{{"bone", 1}}};
    json["frame_count"] = 1 << 30;  // 56 bytes each: a rotation for reading and one for writing, and the key's frame
    EXPECT_EQ(limitError(json),
              "frame_count: would need 57344 MiB of memory, but the limit is 8 (see option limit-memory=MIB)");
    json["channels"] = Json::array();  // only the list of frames
    EXPECT_EQ(limitError(json),
              "frame_count: would need 8192 MiB of memory, but the limit is 8 (see option limit-memory=MIB)");
    json = dumpOf(decodeSound(kPrime));
    json["frame_count"] = 80 << 20;  // one bit per frame
    EXPECT_EQ(limitError(json),
              "frame_count: would need 10 MiB of memory, but the limit is 8 (see option limit-memory=MIB)");
}

TEST(AnimationJson, AnEditedStoredNumberSurvives) {
    Json json = dumpOf(decodeSound(kPrime));
    json["channels"][0]["stored"]["translation"]["changes"][0][1] = -128;
    json["looping"] = false;
    json["channels"][0].erase("translation");
    json["channels"][0]["translation"] = {{25, 0, -1.25}, {24.75, 0, -1.25}, {-7.25, 0, -1.25}};
    const Edited edited = fromJson(json);
    EXPECT_EQ(edited.messages, std::vector<std::string>());
    const Animation again = decodeSound(encodeAnimation(edited.animation));
    EXPECT_EQ(again.stream()->looping, 0U);
    EXPECT_EQ(ValueReader(again)[0].translations[2].x, (99 - 128) * 0.25);
}

TEST(AnimationJson, AChangeThatNeedsMoreBitsGetsThem) {
    Json json = dumpOf(decodeSound(kPrime));
    json["channels"][0]["stored"]["translation"]["changes"][0][1] = 128;
    json["channels"][0]["translation"][2][0] = (99 + 128) * 0.25;
    const Edited edited = fromJson(json);
    EXPECT_EQ(edited.messages, std::vector<std::string>{
                                   "warning: channels[0].stored.translation.bits[0]: is 8, but a change needs 9 bits"});
    EXPECT_EQ(ValueReader(decodeSound(encodeAnimation(edited.animation)))[0].translations[2].x, (99 + 128) * 0.25);
}

TEST(AnimationJson, StoredNumbersWinOverValues) {
    Json json = dumpOf(decodeSound(kPrime));
    json["channels"][0]["translation"][1][0] = 5;
    const Edited edited = fromJson(json);
    EXPECT_EQ(edited.messages,
              std::vector<std::string>{"warning: channels[0].translation: differs from the stored numbers, which are "
                                       "used instead. To quantise this value, delete the stored numbers"});
    EXPECT_EQ(encodeAnimation(edited.animation), kPrime);
}

TEST(AnimationJson, ValuesWithoutStoredNumbersAreQuantised) {
    Json json = dumpOf(decodeSound(kPrime));
    json["channels"][0].erase("stored");
    json["channels"][0]["translation"][1][0] = 30.1;
    const Edited edited = fromJson(json);
    const Animation again = decodeSound(encodeAnimation(edited.animation));
    const ChannelValues values = ValueReader(again)[0];
    EXPECT_EQ(values.translations[1].x, 30.0);  // 30.1 in steps of 0.25
    EXPECT_EQ(again.stream()->channels[0].rotation->components[2].bits, 4);
    EXPECT_EQ(again.stream()->channels[0].rotation->components[0].bits, 0);
    for (std::size_t key = 0; key < 3; ++key)
        EXPECT_GT(glm::dot(values.rotations[key], ValueReader(decodeSound(kPrime))[0].rotations[key]), 1 - 1e-9);
}

TEST(AnimationJson, AScratchSizeThatIsTooSmallGrows) {
    Json json = dumpOf(decodeSound(kPrime));
    json["words"]["scratch_size"] = 1;
    EXPECT_EQ(fromJson(json).messages, std::vector<std::string>());  // the changes do not need it
    json["channels"][0].erase("stored");
    // 16 words of the header, 1 of the bitmap, 22 of the channel, 1 of the stream and 2 after it, to a multiple of 32
    EXPECT_EQ(fromJson(json).messages,
              std::vector<std::string>{
                  "warning: words.scratch_size: is 1, which is too small for the changed values; 192 is written"});
}

TEST(AnimationJson, WordsThatFollowFromOthersMayBeMissing) {
    const Animation stored = decodeSound(kPrime);
    Json json = dumpOf(stored);
    for (const char* word : {"scratch_size", "channel_count", "channel_count_2"})
        json["words"].erase(word);
    const Edited edited = fromJson(json);
    EXPECT_EQ(edited.messages, std::vector<std::string>());
    EXPECT_EQ(edited.animation.stream()->channelCount, 1U);
    EXPECT_EQ(edited.animation.stream()->channelCount2, 1U);
    EXPECT_EQ(edited.animation.stream()->scratchSize, 192U);  // as in AScratchSizeThatIsTooSmallGrows
    json["words"] = "hello";
    EXPECT_THROW((void)fromJson(json), core::DecodeError);
}

TEST(AnimationJson, ALargerValueGetsALargerMultiplier) {
    Json json = dumpOf(decodeSound(kPrime));
    json["channels"][0].erase("stored");
    json["channels"][0]["translation"][1][0] = 30000;
    const Edited edited = fromJson(json);
    ASSERT_EQ(edited.messages.size(), 1U);
    EXPECT_EQ(edited.messages[0].rfind(
                  "warning: translation_multiplier: is 0.25, which is too small for the values; 0.91", 0),
              0U)
        << edited.messages[0];
    EXPECT_NEAR(ValueReader(decodeSound(encodeAnimation(edited.animation)))[0].translations[1].x, 30000, 0.5);
}

TEST(AnimationJson, TheLargestAndTheSmallestValuesCanBeReadAgain) {
    for (const double value : {9.9e17, 1e-40, 1e-45}) {
        Json json = dumpOf(decodeSound(kPrime));
        json["channels"][0].erase("stored");
        json["channels"][0]["translation"] = {{value, 0, 0}, {value, 0, 0}, {-value, 0, 0}};
        json.erase("translation_multiplier");
        const Animation again = decodeSound(encodeAnimation(fromJson(json).animation));
        // half a step of 2 * value / 65534, or of the smallest multiplier with all its digits
        EXPECT_NEAR(ValueReader(again)[0].translations[0].x, value, std::max(value / 65000, 0.6e-38));
    }
}

TEST(AnimationJson, ARotationThatSixteenBitsDoNotReachGetsASmallerDivisor) {
    Json json = dumpOf(decodeSound(kPrime));
    json["rotation_divisor"] = 40000;
    json["channels"][0]["stored"].erase("rotation");
    for (Json& key : json["channels"][0]["rotation"])
        key = {0.5, 0.5, -0.5, 0.5};  // each key is a third of a quarter turn
    const Edited within = fromJson(json);
    EXPECT_EQ(within.messages, std::vector<std::string>());
    EXPECT_EQ(within.animation.stream()->channels[0].rotation->components[1].initial, -13333);
    json["channels"][0]["rotation"][2] = {0, 1, 0, 0};
    const Edited edited = fromJson(json);
    EXPECT_EQ(edited.messages,
              std::vector<std::string>{
                  "warning: rotation_divisor: is 40000, which is too large for the rotations; 32767 is written"});
    const glm::dquat key = ValueReader(decodeSound(encodeAnimation(edited.animation)))[0].rotations[2];
    EXPECT_NEAR(key.x, 1, 1e-9);
    EXPECT_NEAR(key.w, 0, 1e-4);
}

TEST(AnimationJson, MoreKeysMakeAgainBitmap) {
    Json json = dumpOf(decodeSound(kPrime));
    json["key_frames"] = {0, 1, 2, 3};
    for (const char* property : {"rotation", "translation"})
        json["channels"][0][property].push_back(json["channels"][0][property][2]);
    const Edited edited = fromJson(json);
    EXPECT_EQ(edited.messages,
              std::vector<std::string>{"warning: words.key_bitmap: does not match the key frames and is rewritten"});
    ASSERT_GE(edited.notes.size(), 2U);  // the first note states the quantisation error
    EXPECT_EQ(edited.notes[1],
              "note: channels[0].stored.rotation: does not fit 3 keys, or the multiplier or divisor; its values are "
              "quantised again (and those of 1 more)");
    const Animation again = decodeSound(encodeAnimation(edited.animation));
    EXPECT_EQ(keyFrames(again), (std::vector<std::uint32_t>{0, 1, 2, 3}));
    EXPECT_EQ(again.stream()->channels[0].rotation->keyCount, 3);
    EXPECT_GE(again.stream()->scratchSize, encodeAnimation(again).size());
}

TEST(AnimationJson, AChannelMayGo) {
    Json json = dumpOf(decodeSound(kEchoes));
    json["channels"].push_back(json["channels"][0]);
    json["channels"][1]["bone"] = 8;
    const Edited edited = fromJson(json);
    EXPECT_EQ(edited.messages,
              (std::vector<std::string>{"warning: words.channel_count: is 1, but there are 2 channels; 2 is written"}));
    const Animation again = decodeSound(encodeAnimation(edited.animation));  // all counts agree
    EXPECT_EQ(again.stream()->channelCount, 2U);
    EXPECT_EQ(ValueReader(again).bones(), (std::vector<std::uint32_t>{7, 8}));
}

TEST(AnimationJson, ATrackWhoseFirstWIsNegativeIsNegated) {
    Json json = dumpOf(decodeSound(kPrime));
    json["channels"][0].erase("stored");
    for (Json& key : json["channels"][0]["rotation"])
        for (Json& number : key)
            number = -number.get<double>();
    const ChannelValues values = ValueReader(decodeSound(encodeAnimation(fromJson(json).animation)))[0];
    EXPECT_GT(values.rotations[0].w, 0);
    EXPECT_NEAR(values.rotations[0].z, 0.7071, 1e-4);
    EXPECT_LT(values.rotations[2].w, 0);  // the path from key to key is the same
}

TEST(AnimationJson, PaddingFitsAgainInTheLayoutOfTheOtherGame) {
    ByteVector padded = kPrime;  // 94 bytes
    padded.resize(96, 0xFF);
    Json json = dumpOf(decodeSound(padded));
    EXPECT_EQ(encodeAnimation(fromJson(json).animation), padded);
    json["game"] = "mp2";
    const Edited edited = fromJson(json);
    EXPECT_EQ(edited.messages,
              (std::vector<std::string>{
                  "warning: evnt: is left out, because mp2 has no events",
                  "warning: padding: has 2 bytes, but the file's size must be a multiple of 32; 9 are written"}));
    const ByteVector file = encodeAnimation(edited.animation);
    EXPECT_EQ(file.size(), 96U);  // Echoes lacks evnt, 2 bytes of unknown_08, a channel count, and 3 bytes of the bone
    EXPECT_EQ(decodeSound(file).game, Game::echoes);  // but has scale_multiplier, and one more key count
}

TEST(AnimationJson, AKeyAfterTheLastFrameMakesMoreFrames) {
    Json json = dumpOf(decodeSound(kPrime));
    json["key_frames"] = {0, 1, 5};
    const Edited edited = fromJson(json);
    EXPECT_EQ(edited.messages,
              (std::vector<std::string>{"warning: frame_count: is 4, but the last key is in frame 5; 6 is written",
                                        "warning: words.key_bitmap: does not match the key frames and is rewritten",
                                        "warning: duration: is 1.5, but 6 frames at the stated interval last 2.5 "
                                        "seconds; that duration is written"}));
    const Animation again = decodeSound(encodeAnimation(edited.animation));
    EXPECT_EQ(again.stream()->frameCount, 6U);
    EXPECT_EQ(again.duration, 2.5F);
    EXPECT_EQ(keyFrames(again), (std::vector<std::uint32_t>{0, 1, 5}));
}

TEST(AnimationJson, TheDurationFollowsFramesAndInterval) {
    for (const auto& [member, value, message] :
         {std::tuple{"frame_count", 11.0,
                     "warning: duration: is 1.5, but 11 frames at the stated interval last 5 seconds; that duration is "
                     "written"},
          std::tuple{"interval", 2.0,
                     "warning: duration: is 1.5, but 4 frames at the stated interval last 6 seconds; that duration is "
                     "written"}}) {
        Json json = dumpOf(decodeSound(kPrime));
        if (json[member].is_number_float())
            json[member] = value;
        else
            json[member] = static_cast<int>(value);
        const Edited edited = fromJson(json);
        EXPECT_EQ(edited.messages, std::vector<std::string>{message});
        (void)decodeSound(encodeAnimation(edited.animation));
    }
}

TEST(AnimationJson, ADurationThatWasWrongStaysUnlessTheFramesChange) {
    ByteVector file = kPrime;
    file[0x10] = 0x40;  // 3 seconds
    file[0x11] = 0x40;
    Surroundings surroundings;
    Json json = dumpOf(decode(file, surroundings));
    EXPECT_EQ(fromJson(json).messages, std::vector<std::string>());
    EXPECT_EQ(encodeAnimation(fromJson(json).animation), file);
    json["root_bone"] = 5;
    EXPECT_EQ(fromJson(json).animation.duration, 3.0F);
    json["duration"] = 4;
    EXPECT_EQ(fromJson(json).animation.duration, 4.0F);
    json["frame_count"] = 5;
    EXPECT_EQ(fromJson(json).animation.duration, 2.0F);
}

TEST(AnimationJson, MoreKeysInAllArraysAreMoreFrames) {
    Json json = dumpOf(decodeSound(kArrays));  // bone 1: rotation and translation, bone 2: rotation
    for (const int channel : {0, 1})
        for (const char* property : {"rotation", "translation"}) {
            Json& keys = json["channels"][static_cast<std::size_t>(channel)][property];
            if (!keys.is_null())
                keys.push_back(keys[0]);
        }
    const Edited edited = fromJson(json);
    EXPECT_EQ(edited.messages,
              (std::vector<std::string>{"warning: frame_count: is 1, but the channels have 2 keys; 2 is written",
                                        "warning: duration: is 0, but 2 frames at the stated interval last 0.5 "
                                        "seconds; that duration is written"}));
    const Animation again = decodeSound(encodeAnimation(edited.animation));
    EXPECT_EQ(again.arrays()->keyCount, 2U);
    EXPECT_EQ(ValueReader(again)[0].translations, std::vector<glm::dvec3>(2, {1, 2, 3}));
    json["channels"][0]["translation"].erase(1);
    try {
        (void)fromJson(json);
        FAIL() << "encoded";
    } catch (const core::DecodeError& error) {
        EXPECT_STREQ(error.what(), "channels[0].rotation: has 2 keys, expected 1");
    }
}

TEST(AnimationJson, OneFrameBecomesTypeZero) {
    Json json = dumpOf(decodeSound(kPrime));
    json["frame_count"] = 1;
    json["key_frames"] = {0};
    json["channels"][0].erase("stored");
    for (const char* property : {"rotation", "translation"})
        json["channels"][0][property].erase(1), json["channels"][0][property].erase(1);
    const Edited edited = fromJson(json);
    EXPECT_EQ(edited.messages,
              std::vector<std::string>{"warning: type: is 2, which can't store a single frame; 0 is written"});
    const Animation again = decodeSound(encodeAnimation(edited.animation));
    ASSERT_NE(again.arrays(), nullptr);
    EXPECT_EQ(ValueReader(again)[0].translations[0], glm::dvec3(25, 0, -1.25));
    EXPECT_EQ(again.events, 0x1234U);
}

TEST(AnimationJson, AnEditedArraySurvives) {
    Json json = dumpOf(decodeSound(kArrays));
    json["channels"][0]["translation"][0][1] = 7.5;
    EXPECT_EQ(ValueReader(decodeSound(encodeAnimation(fromJson(json).animation)))[0].translations[0],
              glm::dvec3(1, 7.5, 3));
    json["channels"][1]["translation"] = {{4, 5, 6}};
    const Edited edited = fromJson(json);
    EXPECT_EQ(edited.messages,
              std::vector<std::string>{"warning: words: tables and arrays do not fit the values and are rewritten"});
    EXPECT_EQ(ValueReader(decodeSound(encodeAnimation(edited.animation)))[1].translations[0], glm::dvec3(4, 5, 6));
}

TEST(AnimationJson, ArraysGetTheTablesOfTheOtherGame) {
    Json json = dumpOf(decodeSound(kArrays));
    json["game"] = "mp2";
    json["evnt"] = nullptr;
    const Edited edited = fromJson(json);
    EXPECT_EQ(edited.messages,
              std::vector<std::string>{"warning: words: tables and arrays do not fit the values and are rewritten"});
    const Animation again = decodeSound(encodeAnimation(edited.animation));
    EXPECT_EQ(again.game, Game::echoes);
    EXPECT_EQ(ValueReader(again)[0].translations[0], glm::dvec3(1, 2, 3));
}

TEST(AnimationJson, ArraysHaveOneChannelForABoneAndNoScalesInPrime) {
    const auto messageOf = [](const Json& json) -> std::string {
        try {
            (void)fromJson(json);
            return "encoded";
        } catch (const core::DecodeError& error) {
            return error.what();
        }
    };
    Json json = dumpOf(decodeSound(kArrays));
    json["channels"][1]["scale"] = {{1, 1, 1}};
    EXPECT_EQ(messageOf(json), "channels[1].scale: is a list, expected null, because mp1 has no scales");
    json["channels"][1]["scale"] = nullptr;
    json["channels"][1]["bone"] = 1;
    EXPECT_EQ(messageOf(json), "channels[1].bone: is 1, expected a bone that no earlier channel has");
    json["channels"] = {{{"bone", 1}}};
    json["frame_count"] = 0;
    EXPECT_EQ(messageOf(json), "frame_count: is 0, expected at least 1");
    json["frame_count"] = 1;
    for (int bone = 2; bone <= 256; ++bone)
        json["channels"].push_back({{"bone", bone}});
    EXPECT_EQ(messageOf(json), "channels: has 256 elements, but type 0 has room for only 255");
}

struct BadJson {
    const char* name;
    void (*edit)(Json& json);
    const char* message;
};
void PrintTo(const BadJson& c, std::ostream* out) { *out << c.name; }
class AnimationJsonMessages : public testing::TestWithParam<BadJson> {};

TEST_P(AnimationJsonMessages, AreWhole) {
    Json json = dumpOf(decodeSound(kPrime));
    GetParam().edit(json);
    try {
        (void)fromJson(json);
        FAIL() << "encoded";
    } catch (const core::DecodeError& error) {
        EXPECT_STREQ(error.what(), GetParam().message);
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, AnimationJsonMessages,
    testing::Values(
        BadJson{"Game", [](Json& j) { j["game"] = "mp9"; }, "game: is \"mp9\", expected \"mp1\" or \"mp2\""},
        BadJson{"Type", [](Json& j) { j["type"] = 1; }, "type: is 1, expected 0 or 2"},
        BadJson{"KeyFrames",
                [](Json& j) {
                    j["key_frames"] = {0, 3, 1};
                },
                "key_frames[2]: is 1, expected frame 0, then later frames in ascending order"},
        BadJson{"LastKeyFrame",
                [](Json& j) {
                    j["key_frames"] = {0, 1, 0xFFFFFFFF};
                },
                "key_frames[2]: is 4294967295, expected frame 0, then later frames in ascending order"},
        BadJson{"NoKeyFrames", [](Json& j) { j["key_frames"] = Json::array(); },
                "key_frames: is a list, expected at least frame 0"},
        BadJson{"Keys", [](Json& j) { j["channels"][0]["rotation"].erase(0); },
                "channels[0].rotation: has 2 keys, expected 3"},
        BadJson{"Tuple",
                [](Json& j) {
                    j["channels"][0]["rotation"][1] = {1, 2, 3};
                },
                "channels[0].rotation[1]: has 3 elements, expected 4"},
        BadJson{"TooLarge", [](Json& j) { j["channels"][0]["translation"][1][0] = 1e39; },
                "channels[0].translation[1][0]: is 1e+39, expected a number that fits 32 bits"},
        BadJson{"AboveAllNumbers", [](Json& j) { j["channels"][0]["translation"][1][0] = 2e18; },
                "channels[0].translation[1][0]: is 2e+18, expected a number of at most 1e18"},
        BadJson{"OutOfReach",
                [](Json& j) {
                    j["channels"][0].erase("stored");
                    j["channels"][0]["translation"][1][2] = -1e18;
                },
                "channels[0].translation[1][2]: is -1e+18, expected a number of at most 9.9e17"},
        BadJson{"MultiplierZero", [](Json& j) { j["translation_multiplier"] = 0; },
                "translation_multiplier: is 0, expected a number other than 0, of at most 3e13"},
        BadJson{"MultiplierHuge", [](Json& j) { j["translation_multiplier"] = 1e20; },
                "translation_multiplier: is 1e+20, expected a number other than 0, of at most 3e13"},
        BadJson{"MultiplierNoNumber", [](Json& j) { j["translation_multiplier"] = "0x7fc00000"; },
                "translation_multiplier: is \"0x7fc00000\", expected a number other than 0, of at most 3e13"},
        BadJson{"IntervalZero", [](Json& j) { j["interval"] = 0; }, "interval: is 0, expected a number of seconds"},
        BadJson{"IntervalNoNumber", [](Json& j) { j["interval"] = "0x7fc00000"; },
                "interval: is \"0x7fc00000\", expected a number of seconds"},
        BadJson{"DurationZero", [](Json& j) { j["duration"] = 0; }, "duration: is 0, expected a number of seconds"},
        BadJson{"Divisor", [](Json& j) { j["rotation_divisor"] = 0; },
                "rotation_divisor: is 0, expected a number other than 0, which represents a quarter turn"},
        BadJson{"Scale",
                [](Json& j) {
                    j["channels"][0]["scale"] = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
                },
                "channels[0].scale: is a list, expected null, because mp1 has no scales"},
        BadJson{"Quaternion",
                [](Json& j) {
                    j["channels"][0].erase("stored");
                    j["channels"][0]["rotation"][1] = {0, 0, 0, 0};
                },
                "channels[0].rotation[1]: is a list, expected a quaternion other than 0"},
        BadJson{"OnlyKey",
                [](Json& j) {
                    j["key_frames"] = {0};
                    j["channels"][0].erase("stored");
                    j["channels"][0]["rotation"] = {{1, 0, 0, 0}};
                    j["channels"][0]["translation"] = nullptr;
                },
                "key_frames: is a list, expected a key frame after frame 0, such as the last frame"},
        BadJson{
            "Float", [](Json& j) { j["duration"] = "long"; },
            "duration: is \"long\", expected a number, or eight hexadecimal digits for a value that is not finite"}),
    [](const auto& test) { return std::string(test.param.name); });

// ---------------------------------------------------------------------------------------------------------------------
// At random

TEST(RandomAnimations, DecodeToWhatWasEncoded) {
    std::mt19937 random(5);
    for (int round = 0; round < 200; ++round) {
        Animation animation;
        animation.game = round % 2 == 0 ? Game::prime : Game::echoes;
        animation.interval = 0.5F;
        StreamAnimation stream;
        stream.frameCount = 2 + static_cast<std::uint32_t>(random() % 70);
        animation.duration = static_cast<float>(stream.frameCount - 1) * 0.5F;
        stream.bitmap.resize((stream.frameCount + 31) / 32);
        for (std::uint32_t& word : stream.bitmap)
            word = static_cast<std::uint32_t>(random());
        const std::size_t keys = streamKeyCount(stream);
        const auto property = [&] {
            Property made;
            made.keyCount = static_cast<std::uint16_t>(std::max<std::size_t>(keys, 1));
            for (Component& component : made.components) {
                component.initial = static_cast<std::int16_t>(random());
                component.bits = static_cast<std::uint8_t>(random() % 18);
                for (std::size_t key = 0; component.bits > 0 && key < keys; ++key)
                    component.changes.push_back(static_cast<std::int32_t>(random()) >> (32 - component.bits));
            }
            return made;
        };
        for (std::uint32_t bone = 0, count = 1 + static_cast<std::uint32_t>(random() % 9); bone < count; ++bone) {
            StreamChannel& channel = stream.channels.emplace_back();
            channel.bone = bone;
            if (random() % 4 != 0) {
                channel.rotation = property();
                for (std::size_t key = 0; key < keys; ++key)
                    channel.signs.push_back(random() % 2 == 0 ? 0 : -1);
            }
            if (random() % 2 == 0)
                channel.translation = property();
            if (animation.game == Game::echoes && random() % 2 == 0)
                channel.scale = property();
        }
        animation.content = stream;
        const ByteVector file = encodeAnimation(animation);
        Surroundings surroundings;
        const Animation again = decode(file, surroundings, animation.game);
        ASSERT_EQ(again.stream()->channels.size(), stream.channels.size());
        for (std::size_t i = 0; i < stream.channels.size(); ++i) {
            const StreamChannel& a = stream.channels[i];
            const StreamChannel& b = again.stream()->channels[i];
            EXPECT_EQ(a.signs, b.signs);
            for (const auto kind : {&StreamChannel::rotation, &StreamChannel::translation, &StreamChannel::scale}) {
                ASSERT_EQ((a.*kind).has_value(), (b.*kind).has_value());
                for (std::size_t axis = 0; (a.*kind) && axis < 3; ++axis)
                    EXPECT_EQ((a.*kind)->components[axis].changes, (b.*kind)->components[axis].changes);
            }
        }
        EXPECT_EQ(encodeAnimation(fromJson(dumpOf(again)).animation), file);
    }
}

}  // namespace
}  // namespace reanima::metroid
