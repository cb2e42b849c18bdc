#include "formats/ff9/animation.h"

#include <random>

#include <gtest/gtest.h>

#include "support/bytes.h"

namespace reanima::ff9 {
namespace {

using core::ByteVector;
using core::LittleEndianReader;
using test::Surroundings;

Block decode(const ByteVector& bytes, std::optional<std::uint32_t> bones, Surroundings& surroundings) {
    core::SampleBudget budget(surroundings.limits);
    return decodeBlock(LittleEndianReader(bytes), bones, budget, surroundings.diagnostics);
}

Block decodeSound(const ByteVector& bytes, std::optional<std::uint32_t> bones = std::nullopt) {
    Surroundings surroundings;
    Block block = decode(bytes, bones, surroundings);
    EXPECT_EQ(surroundings.warnings(), std::vector<std::string>());
    return block;
}

/// @param notes all expected messages
ByteVector encode(const Block& block, const std::vector<std::string>& notes = {}) {
    core::Diagnostics diagnostics;
    ByteVector bytes = encodeBlock(block, diagnostics);
    std::vector<std::string> messages;
    for (const core::Warning& warning : diagnostics.warnings())
        messages.push_back(warning.message());
    EXPECT_EQ(messages, notes);
    return bytes;
}

using Triple = std::array<int, 3>;

template <typename T>
std::vector<Triple> framesOf(const Channels<T>& channels, std::size_t first, std::size_t frames) {
    std::vector<Triple> triples;
    for (std::size_t frame = 0; frame < frames; ++frame)
        triples.push_back({channels.at(first, frame), channels.at(first + 1, frame), channels.at(first + 2, frame)});
    return triples;
}

TEST(Ff9Channels, AreCopiedFromTheSameObject) {
    Channels<int> channels;
    channels.add(std::vector{1, 2, 3});
    for (std::size_t i = 0; i < 5; ++i)
        channels.add(channels[0]);
    EXPECT_EQ(channels.count(), 6U);
    EXPECT_EQ(framesOf(channels, 3, 3), (std::vector<Triple>{{1, 1, 1}, {2, 2, 2}, {3, 3, 3}}));
}

// Two bones, three frames, in the order of the game's own tool.
const ByteVector kTwoBones = {
    0,    0,    3,    0,                       // 00 unknown_00, frame_count
    0x14, 0,    0xFB, 0xFF, 7,    0,    6, 0,  // 04 translation: x from 0x14, y -5, z 7
    0x1C, 0,    0,    0,    0x34, 0,    0, 0,  // 0c high_table, low_table
    1,    0,    0xFE, 0xFF, 3,    0,    0, 0,  // 14 translation x: 1, -2, 3; padding
    0x2C, 0,    0x80, 0xFF, 1,    0,    6, 0,  // 1c HIGH of bone 0: x from 0x2c, y 0x80, z 0x01
    0,    0,    0x12, 0,    0x2F, 0,    3, 0,  // 24 HIGH of bone 1: x 0x00, y 0x12, z from 0x2f
    0x10, 0x20, 0x30, 0x7F, 0x80, 0x81, 0, 0,  // 2c the two streams; padding
    5,    0,    0x44, 0,    0,    0,    5, 0,  // 34 LOW of bone 0: x 5, y from 0x44, z 0
    0x46, 0,    0x0F, 0,    2,    0,    6, 0,  // 3c LOW of bone 1: x from 0x46, y 15, z 2
    0x21, 0x03, 0xBA, 0x0C};                   // 44 nibbles 1, 2, 3 and 10, 11, 12

TEST(Animation, HighAndLowPartsAreConstantOrStreamedOnTheirOwn) {
    const Block block = decodeSound(kTwoBones);
    const Animation& animation = block.animation;
    EXPECT_EQ(animation.frameCount, 3U);
    EXPECT_TRUE(animation.hasLowTable);
    ASSERT_EQ(animation.boneCount(), 2U);
    EXPECT_EQ(framesOf(animation.translation, 0, 3), (std::vector<Triple>{{1, -5, 7}, {-2, -5, 7}, {3, -5, 7}}));
    EXPECT_EQ(framesOf(animation.angles, 0, 3),
              (std::vector<Triple>{{0x105, 0x801, 0x010}, {0x205, 0x802, 0x010}, {0x305, 0x803, 0x010}}));
    EXPECT_EQ(framesOf(animation.angles, 3, 3),
              (std::vector<Triple>{{0x00A, 0x12F, 0x7F2}, {0x00B, 0x12F, 0x802}, {0x00C, 0x12F, 0x812}}));
    EXPECT_FALSE(block.layout);  // the usual order
    EXPECT_EQ(encode(block), kTwoBones);
    EXPECT_TRUE(isAnimation(kTwoBones));
}

TEST(Animation, ConstantsStaySingleValues) {
    const Animation animation = decodeSound(kTwoBones).animation;
    EXPECT_EQ(animation.translation[0].size(), 3U);
    EXPECT_EQ(animation.translation[1].size(), 1U);
    EXPECT_EQ(animation.angles[2].size(), 1U);
    EXPECT_EQ(animation.angles[4].size(), 1U);
    EXPECT_EQ(animation.angles[5].size(), 3U);
}

TEST(Animation, WithoutALowTableTheLowBitsAreZero) {
    ByteVector file(kTwoBones.begin(), kTwoBones.begin() + 0x34);
    file[0x10] = 0;
    const Block block = decodeSound(file);  // the first HIGH stream shows the number of bones
    EXPECT_FALSE(block.animation.hasLowTable);
    EXPECT_EQ(framesOf(block.animation.angles, 3, 1), (std::vector<Triple>{{0x000, 0x120, 0x7F0}}));
    EXPECT_EQ(encode(block), file);
}

TEST(Animation, WithoutALowTableItsBonesMayBeHidden) {
    ByteVector file(kTwoBones.begin(), kTwoBones.begin() + 0x34);
    file[0x10] = 0;
    Surroundings surroundings;
    const Block first = decode(file, 1, surroundings);  // the record of the second bone is kept, as bytes
    (void)encode(first, {"note: low_table: is false, and the block seems to have 2 bones. To read the file, name a "
                         "model with 1 bones"});
    file.resize(0x2C);
    file[0x22] = file[0x2A] = 7;  // no stream shows the end of the table
    const Block both = decodeSound(file, 2);
    EXPECT_EQ(encode(both, {"note: low_table: is false, and the block does not state its number of bones. To read the "
                            "file, name a model with 2 bones"}),
              file);
}

TEST(Animation, ABlockFromTheConsolesMemoryHasAddresses) {
    ByteVector file = kTwoBones;
    const ByteVector high = {0x2C, 0x50, 0x12, 0x80};  // 0x80125010 + 0x1c
    const ByteVector low = {0x44, 0x50, 0x12, 0x80};   // 0x80125010 + 0x34
    std::copy(high.begin(), high.end(), file.begin() + 0x0C);
    std::copy(low.begin(), low.end(), file.begin() + 0x10);
    Surroundings surroundings;
    const Block block = decode(file, std::nullopt, surroundings);
    EXPECT_EQ(framesOf(block.animation.angles, 0, 3), framesOf(decodeSound(kTwoBones).animation.angles, 0, 3));
    ASSERT_EQ(surroundings.diagnostics.warnings().size(), 1U);
    EXPECT_EQ(surroundings.diagnostics.warnings()[0].message(),
              "note: high_table: is an address, because the block was copied from the console's memory at 0x80125010");
    EXPECT_EQ(encode(block), file);
}

TEST(Animation, UnusedBitsAreKept) {
    ByteVector file = kTwoBones;
    file[0x00] = 0x34;  // unknown_00
    file[0x1A] = 0x77;  // padding
    file[0x21] = 0x55;  // upper half of a HIGH constant
    file[0x23] = 0x90;  // upper bits of a mask
    file[0x35] = 0xA0;  // upper bits of a LOW constant
    file[0x45] = 0xE3;  // the nibble after the last frame
    const Block block = decodeSound(file);
    EXPECT_EQ(framesOf(block.animation.angles, 0, 3), framesOf(decodeSound(kTwoBones).animation.angles, 0, 3));
    EXPECT_TRUE(block.layout);
    EXPECT_EQ(encode(block), file);
    EXPECT_FALSE(isAnimation(file));
    EXPECT_FALSE(beginsLikeAnimation(file));
    file[0] = 0;
    EXPECT_TRUE(beginsLikeAnimation(file));
}

TEST(Animation, BytesAfterItAreKeptAndToldOf) {
    ByteVector file = kTwoBones;
    file.insert(file.end(), {1, 2, 3});
    Surroundings surroundings;
    const Block block = decode(file, std::nullopt, surroundings);
    ASSERT_EQ(surroundings.diagnostics.warnings().size(), 1U);
    EXPECT_EQ(surroundings.diagnostics.warnings()[0].message(), "note: trailing: 3 bytes after the block are not used");
    EXPECT_EQ(encode(block), file);
}

TEST(Animation, ASkeletonWithFewerBonesLeavesTheOthersOut) {
    Surroundings surroundings;
    const Block block = decode(kTwoBones, 1, surroundings);
    EXPECT_EQ(block.animation.boneCount(), 1U);
    EXPECT_EQ(surroundings.warnings(),
              std::vector<std::string>{
                  "warning: high_table: has 2 bones, but the skeleton has 1; additional bones are left out"});
    EXPECT_EQ(
        encode(block,
               {"note: bone_count: the block seems to have 2 bones. To read the file, name a model with 1 bones"}),
        kTwoBones);
}

/// Constants of one frame, without a LOW table: nothing shows the end of the HIGH table.
ByteVector blockWithoutBones() {
    ByteVector block = kTwoBones;
    for (const std::size_t mask : {0x22U, 0x2AU, 0x32U, 0x3AU, 0x42U})
        block[mask] = 7;
    block[0x10] = block[0x1C] = 0;
    block.resize(0x46);  // 0x2A bytes for records of 8
    return block;
}

TEST(Animation, WithoutANumberOfBonesIsWrittenBack) {
    const ByteVector file = blockWithoutBones();
    Surroundings surroundings;
    const Block block = decode(file, std::nullopt, surroundings);
    EXPECT_EQ(block.animation.boneCount(), 5U);
    ASSERT_FALSE(surroundings.diagnostics.warnings().empty());
    EXPECT_EQ(surroundings.warnings(), std::vector<std::string>());
    EXPECT_EQ(
        surroundings.diagnostics.warnings().front().message(),
        "note: high_table: does not state the number of bones; 5 bones are assumed, as many as fit before the end (see "
        "option joints=N)");
    core::Diagnostics ignored;
    EXPECT_EQ(encodeBlock(block, ignored), file);
}

TEST(Animation, WithoutANumberOfBonesIsNotPlayed) {
    Surroundings surroundings;
    core::SampleBudget budget(surroundings.limits);
    const ByteVector file = blockWithoutBones();
    try {
        (void)decodeAnimation(LittleEndianReader(file), std::nullopt, budget, surroundings.diagnostics);
        FAIL() << "decoded";
    } catch (const core::DecodeError& error) {
        EXPECT_STREQ(error.what(),
                     "high_table at 0xc: does not state its number of bones, and no model states it "
                     "(see option joints=N)");
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
    std::optional<std::uint32_t> bones;
    const char* message;
};

void PrintTo(const MessageCase& c, std::ostream* out) { *out << c.name; }

class AnimationMessages : public testing::TestWithParam<MessageCase> {};

TEST_P(AnimationMessages, AreWhole) {
    const MessageCase& c = GetParam();
    ByteVector file = kTwoBones;
    for (const Patch& patch : c.patches)
        std::copy(patch.bytes.begin(), patch.bytes.end(), file.begin() + static_cast<std::ptrdiff_t>(patch.at));
    file.resize(c.size);
    file.shrink_to_fit();
    Surroundings surroundings;
    try {
        (void)decode(file, c.bones, surroundings);
        FAIL() << "decoded";
    } catch (const core::DecodeError& error) {
        EXPECT_STREQ(error.what(), c.message);
    }
}

constexpr std::size_t kWhole = 0x48;

INSTANTIATE_TEST_SUITE_P(
    All, AnimationMessages,
    testing::Values(
        MessageCase{"Empty", {}, 0, {}, "unknown_00 at 0x0: needs 2 bytes, but only 0 are left"},
        MessageCase{"CountCut", {}, 3, {}, "frame_count at 0x2: needs 2 bytes, but only 1 is left"},
        MessageCase{"TranslationCut", {}, 8, {}, "translation.z at 0x8: needs 2 bytes, but only 0 are left"},
        MessageCase{"MaskCut", {}, 0x0B, {}, "translation.mask at 0xa: needs 2 bytes, but only 1 is left"},
        MessageCase{"HeaderCut", {}, 0x12, {}, "low_table at 0x10: needs 4 bytes, but only 2 are left"},
        MessageCase{"NoFrames", {{2, {0, 0}}}, kWhole, {}, "frame_count at 0x2: is 0, expected 1 or more"},
        MessageCase{
            "TranslationOutside",
            {{4, {0x43, 0}}},
            kWhole,
            {},
            "translation.x at 0x4: is 0x43, but a stream of 6 bytes from there ends outside the block of 72 bytes"},
        MessageCase{"HighTableInHeader",
                    {{0x0C, {0x13}}},
                    kWhole,
                    {},
                    "high_table at 0xc: is 0x13, expected 0x14 or more, after the header"},
        MessageCase{"LowTableInHeader",
                    {{0x10, {4}}},
                    kWhole,
                    {},
                    "low_table at 0x10: is 0x4, expected 0x14 or more, after the header"},
        MessageCase{"HighTableOutside",
                    {{0x0C, {0xFF, 0xFF, 0xFF, 0x7F}}},
                    kWhole,
                    {},
                    "high_table at 0xc: is 0x7fffffff, but the 1 record from there ends outside the block of 72 bytes"},
        MessageCase{"LowTableOutside",
                    {{0x10, {0x3C}}},
                    kWhole,
                    {2},
                    "low_table at 0x10: is 0x3c, but the 2 records from there end outside the block of 72 bytes"},
        MessageCase{"LowTableNoAddress",
                    {{0x0C, {0x2C, 0x50, 0x12, 0x80}}},
                    kWhole,
                    {},
                    "low_table at 0x10: is 0x7fedb024, but the 1 record from there ends outside the block of 72 bytes"},
        MessageCase{
            "SkeletonHasMoreBones", {}, kWhole, {3}, "high_table at 0xc: ends after 2 bones, but the skeleton has 3"},
        MessageCase{
            "NoBones", {{0x1C, {0x1E}}}, kWhole, {}, "high_table at 0xc: would have 0 bones, expected 1 to 255"},
        MessageCase{"TooManyBones",
                    {{0x10, {0}}, {0x1C, {0}}, {0x22, {7}}, {0x2A, {7}}},
                    0x34,
                    {256},
                    "high_table at 0xc: would have 256 bones, expected 1 to 255"},
        MessageCase{
            "HighStreamOutside",
            {{0x28, {0x46}}},
            kWhole,
            {},
            "high_table[1].z at 0x28: is 0x46, but a stream of 3 bytes from there ends outside the block of 72 bytes"},
        MessageCase{
            "LowStreamOutside",
            {{0x36, {0x47}}},
            kWhole,
            {},
            "low_table[0].y at 0x36: is 0x47, but a stream of 2 bytes from there ends outside the block of 72 bytes"},
        MessageCase{
            "OneByteOutside",
            {{2, {1}}, {0x3C, {0x48}}},
            kWhole,
            {},
            "low_table[1].x at 0x3c: is 0x48, but a stream of 1 byte from there ends outside the block of 72 bytes"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(Animation, MoreSamplesThanTheLimitAreRefused) {
    Surroundings surroundings;
    surroundings.limits.samples = 44;  // a translation and two moving bones, in three frames: 3 * (3 + 6 + 6)
    try {
        (void)decode(kTwoBones, std::nullopt, surroundings);
        FAIL() << "decoded";
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.kind(), core::DecodeError::Kind::limit);
        EXPECT_STREQ(
            error.what(),
            "frame_count at 0x2: the file decodes to more samples than the limit allows (see option limit-samples=N)");
    }
    surroundings.limits.samples = 45;
    EXPECT_EQ(decode(kTwoBones, std::nullopt, surroundings).animation.boneCount(), 2U);
}

TEST(Animation, ASmallBlockCantAskForGigabytes) {
    constexpr std::size_t kBones = 255;
    ByteVector file(0x10000);
    const ByteVector header = {0, 0, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 7, 0, 0x14, 0, 0, 0, 0x0C, 0x08, 0, 0};
    std::copy(header.begin(), header.end(), file.begin());  // all streams of all bones are the block itself
    Surroundings surroundings;
    try {
        (void)decode(file, kBones, surroundings);
        FAIL() << "decoded";
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.kind(), core::DecodeError::Kind::limit);
        EXPECT_EQ(error.field(), "frame_count");
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Edits

TEST(EncodeBlock, LeavesTheLayoutWhereTheValuesDoNotFit) {
    ByteVector file = kTwoBones;
    file[0x1A] = 0x77;  // not the usual padding
    Block block = decodeSound(file);
    ASSERT_TRUE(block.layout);
    Animation edited = block.animation;
    edited.angles = {};
    for (std::size_t channel = 0; channel < 6; ++channel) {  // a constant of bone 1 moves in one frame
        const std::span<Angle> values = edited.angles.add(3);
        for (std::size_t frame = 0; frame < 3; ++frame)
            values[frame] = channel == 4 && frame == 1 ? Angle{0x130} : block.animation.angles.at(channel, frame);
    }
    block.animation = edited;
    core::Diagnostics diagnostics;
    const ByteVector again = encodeBlock(block, diagnostics);
    ASSERT_EQ(diagnostics.warnings().size(), 1U);
    EXPECT_EQ(diagnostics.warnings()[0].message(),
              "warning: layout: does not fit the values; the order of the game's own tool is used");
    const Block decoded = decodeSound(again);
    EXPECT_FALSE(decoded.layout);
    EXPECT_EQ(framesOf(decoded.animation.angles, 3, 3), framesOf(edited.angles, 3, 3));
    EXPECT_EQ(framesOf(decoded.animation.angles, 0, 3), framesOf(edited.angles, 0, 3));
}

TEST(EncodeBlock, KeepsTheLayoutForValuesThatFit) {
    ByteVector file = kTwoBones;
    file[0x1A] = 0x77;
    Block block = decodeSound(file);
    Channels<std::int16_t> translation;
    translation.add(std::vector<std::int16_t>{9, 8, 7});
    translation.add(std::vector<std::int16_t>{-6});
    translation.add(std::vector<std::int16_t>{5});
    block.animation.translation = translation;
    const ByteVector words = {9, 0, 8, 0, 7, 0};
    std::copy(words.begin(), words.end(), file.begin() + 0x14);
    file[0x06] = 0xFA;
    file[0x08] = 5;
    EXPECT_EQ(encode(block, {"note: layout.translation: does not fit the values and is rewritten"}), file);
}

TEST(EncodeBlock, RefusesStreamsAfterTheFirst64KiB) {
    Block block;
    block.animation.frameCount = 1000;
    block.animation.translation.add(1);
    block.animation.translation.add(1);
    block.animation.translation.add(1);
    for (int channel = 0; channel < 3 * 30; ++channel) {
        const std::span<Angle> values = block.animation.angles.add(1000);
        for (std::size_t frame = 0; frame < values.size(); ++frame)
            values[frame] = static_cast<Angle>(frame * 16 % 4096);
    }
    core::Diagnostics diagnostics;
    try {
        (void)encodeBlock(block, diagnostics);
        FAIL() << "encoded";
    } catch (const core::DecodeError& error) {
        // 20 bytes of header, 30 records, 66 streams of 1000 bytes: the next would begin at 66,260
        EXPECT_STREQ(error.what(),
                     "high_table[22].x: its stream would begin at 0x102d4, but the format allows at most 0xffff. Try "
                     "fewer frames or fewer changes");
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Whatever the words are

/// Reads values in the plain way, word by word.
class PlainReader {
  public:
    explicit PlainReader(const ByteVector& file) : file_(file) {}

    [[nodiscard]] unsigned word(std::size_t at) const { return file_[at] | static_cast<unsigned>(file_[at + 1]) << 8U; }
    [[nodiscard]] Triple translation(std::size_t frame) const {
        Triple triple{};
        for (std::size_t k = 0; k < 3; ++k) {
            const unsigned stored = word(4 + 2 * k);
            triple[k] = static_cast<std::int16_t>((word(10) >> k & 1U) != 0 ? stored : word(stored + 2 * frame));
        }
        return triple;
    }
    [[nodiscard]] Triple angles(std::size_t bone, std::size_t frame) const {
        Triple triple{};
        for (std::size_t k = 0; k < 3; ++k) {
            const unsigned high = part(word(12) + 8 * bone, k, frame);
            const unsigned low =
                word(16) == 0 ? 0 : part(word(16) + 8 * bone, k, frame / 2) >> streamShift(bone, k, frame);
            triple[k] = static_cast<int>((high & 255U) << 4U | (low & 15U));
        }
        return triple;
    }

  private:
    [[nodiscard]] unsigned part(std::size_t record, std::size_t k, std::size_t byte) const {
        const unsigned stored = word(record + 2 * k);
        return (word(record + 6) >> k & 1U) != 0 ? stored : file_[stored + byte];
    }
    [[nodiscard]] unsigned streamShift(std::size_t bone, std::size_t k, std::size_t frame) const {
        const bool constant = (word(word(16) + 8 * bone + 6) >> k & 1U) != 0;
        return !constant && frame % 2 == 1 ? 4 : 0;
    }
    const ByteVector& file_;
};

TEST(RandomBlocks, GiveWhatThePlainReaderGivesAndComeBack) {
    std::mt19937 random(9);
    const auto below = [&random](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
    for (int round = 0; round < 2000; ++round) {
        constexpr std::size_t kSize = 400;
        ByteVector file(kSize);
        for (std::uint8_t& byte : file)
            byte = static_cast<std::uint8_t>(random());
        const auto put = [&file](std::size_t at, std::size_t value) {
            file[at] = static_cast<std::uint8_t>(value);
            file[at + 1] = static_cast<std::uint8_t>(value >> 8U);
        };
        const std::size_t bones = 1 + below(6);
        const std::size_t frames = 1 + below(9);
        const std::size_t high = 20 + below(100);
        const std::size_t low = below(4) == 0 ? 0 : 200 + below(100);
        put(2, frames);
        for (std::size_t k = 0; k < 3; ++k)
            put(4 + 2 * k, below(kSize - 2 * frames));
        put(12, high);
        put(14, 0);
        put(16, low);
        put(18, 0);
        for (const std::size_t table : {high, low})
            for (std::size_t word = 0; table != 0 && word < 4 * bones; ++word)
                put(table + 2 * word, word % 4 == 3 ? random() : below(kSize - frames));
        Surroundings surroundings;
        Block block;
        try {
            block = decode(file, static_cast<std::uint32_t>(bones), surroundings);
        } catch (const core::DecodeError& error) {
            ASSERT_EQ(error.kind(), core::DecodeError::Kind::skeletonMismatch) << error.what();
            continue;  // a stream begins between the records
        }
        const PlainReader plain(file);
        for (std::size_t frame = 0; frame < frames; ++frame) {
            EXPECT_EQ(framesOf(block.animation.translation, 0, frames)[frame], plain.translation(frame));
            for (std::size_t bone = 0; bone < bones; ++bone)
                EXPECT_EQ(framesOf(block.animation.angles, 3 * bone, frames)[frame], plain.angles(bone, frame));
        }
        Surroundings encoding;
        EXPECT_EQ(encodeBlock(block, encoding.diagnostics), file);
        EXPECT_EQ(encoding.warnings(), std::vector<std::string>());
        if (HasFailure())
            FAIL() << "round " << round;
    }
}

TEST(RandomAnimations, AreFoundAgainInTheUsualOrder) {
    std::mt19937 random(10);
    const auto below = [&random](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
    for (int round = 0; round < 300; ++round) {
        Block block;
        const std::size_t frames = 1 + below(20);
        const std::size_t bones = 1 + below(30);
        block.animation.frameCount = static_cast<std::uint16_t>(frames);
        block.animation.hasLowTable = true;
        const auto fill = [&](auto values) {
            const std::size_t spread = std::size_t{1} << below(13);
            for (auto& value : values)
                value = static_cast<std::decay_t<decltype(value)>>(below(spread) % 4096);
        };
        for (int axis = 0; axis < 3; ++axis)
            fill(block.animation.translation.add(below(2) == 0 ? 1 : frames));
        for (std::size_t channel = 0; channel < 3 * bones; ++channel)
            fill(block.animation.angles.add(below(2) == 0 ? 1 : frames));
        const ByteVector file = encode(block);
        EXPECT_TRUE(isAnimation(file));
        const Block again = decodeSound(file);
        EXPECT_FALSE(again.layout);
        ASSERT_EQ(again.animation.boneCount(), bones);  // inferred from the LOW table
        EXPECT_EQ(framesOf(again.animation.translation, 0, frames), framesOf(block.animation.translation, 0, frames));
        for (std::size_t bone = 0; bone < bones; ++bone)
            EXPECT_EQ(framesOf(again.animation.angles, 3 * bone, frames),
                      framesOf(block.animation.angles, 3 * bone, frames));
    }
}

TEST(Blocks, AreExaminedByTheirTables) {
    const BlockFacts two = examineBlock(core::LittleEndianReader(kTwoBones), std::nullopt);
    EXPECT_EQ(two.bones, 2U);
    EXPECT_EQ(two.samples, 3U * (3 + 2 * 6));
    const ByteVector silent =
        test::readBytes(test::sourceFolder() / "tests/data/conformance/ff9/inputs/nothing_tells_bones.ff9anim");
    EXPECT_EQ(examineBlock(core::LittleEndianReader(silent), std::nullopt).bones, 9U);  // 92 bytes
    EXPECT_EQ(examineBlock(core::LittleEndianReader(silent), 1).bones, 1U);
    EXPECT_EQ(examineBlock(core::LittleEndianReader(kTwoBones), 1).bones, 2U);  // the block itself shows two
}

}  // namespace
}  // namespace reanima::ff9
