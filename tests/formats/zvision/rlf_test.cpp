#include "formats/zvision/rlf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#define XXH_INLINE_ALL
#include <filesystem>
#include <numeric>
#include <random>
#include <thread>

#include <nlohmann/json.hpp>
#include <xxhash.h>

#include "formats/format.h"
#include "formats/registry.h"
#include "formats/zvision/video.h"
#include "pictures/album.h"
#include "support/bytes.h"

namespace reanima::zvision {
namespace {

namespace fs = std::filesystem;
using core::ByteVector;
using Picture = std::vector<Pixel555>;

// ---------------------------------------------------------------------------------------------------------------------
// Videos written by hand

void putWord(ByteVector& bytes, std::uint32_t word) {
    for (unsigned shift = 0; shift < 32; shift += 8)
        bytes.push_back(static_cast<std::uint8_t>(word >> shift));
}

void putTag(ByteVector& bytes, const char* tag) {
    for (unsigned i = 0; i < 4; ++i)
        bytes.push_back(static_cast<std::uint8_t>(tag[i]));
}

struct HandFrame {
    const char* tag;
    ByteVector runs;
};

ByteVector video(std::uint32_t width, std::uint32_t height, const std::vector<HandFrame>& frames,
                 std::uint32_t frameTime = 666) {
    ByteVector bytes;
    putTag(bytes, "FELR");
    for (const std::uint32_t word : {20U, 1U, 0U, static_cast<std::uint32_t>(frames.size())})
        putWord(bytes, word);
    putTag(bytes, "FNIC");
    putWord(bytes, 112);
    bytes.resize(0x84);
    putTag(bytes, "FNIM");
    for (const std::uint32_t word : {32U, 0U, 0U, 0U, 0U, width, height})
        putWord(bytes, word);
    putTag(bytes, "EMIT");
    for (const std::uint32_t word : {16U, 0U, frameTime})
        putWord(bytes, word);
    for (const HandFrame& frame : frames) {
        putTag(bytes, "MARF");
        putWord(bytes, static_cast<std::uint32_t>(28 + frame.runs.size()));
        putWord(bytes, 0);
        putWord(bytes, 0);
        putTag(bytes, frame.tag);
        putWord(bytes, 28);
        putWord(bytes, 0);
        bytes.insert(bytes.end(), frame.runs.begin(), frame.runs.end());
    }
    bytes.shrink_to_fit();  // so AddressSanitizer sees a read past the end
    return bytes;
}

/// Follows the format page, pixel by pixel.
void showPlainly(Codec codec, core::Bytes data, Picture& surface) {
    std::size_t at = 0;
    const auto put = [&](Pixel555 pixel) {
        if (at < surface.size())
            surface[at] = pixel;
        ++at;
    };
    const auto hasPixel = [&](std::size_t i) { return i + 1 < data.size(); };
    const auto pixel = [&](std::size_t i) { return static_cast<Pixel555>(data[i] + 256 * data[i + 1]); };
    for (std::size_t i = 0; i < data.size();) {
        const int count = static_cast<std::int8_t>(data[i++]);
        if (count < 0) {
            for (int n = 0; n < -count && hasPixel(i); ++n, i += 2)
                put(pixel(i));
            if (i + 1 == data.size())
                break;  // half a pixel
        } else if (codec == Codec::key) {
            if (!hasPixel(i))
                break;
            for (int n = 0; n < count + 2; ++n)
                put(pixel(i));
            i += 2;
        } else {
            at += static_cast<std::size_t>(count) + 1;
        }
    }
}

void showPlainly(const RlfFrame& frame, Picture& surface) { showPlainly(frame.codec, frame.data(), surface); }

std::shared_ptr<const Rlf> open(const ByteVector& file) {
    core::Diagnostics diagnostics;
    return decodeRlf(file, {}, diagnostics);
}

Picture pictureOf(RlfCursor& cursor, std::uint32_t index) {
    const auto picture = cursor.picture(index);
    return {picture.begin(), picture.end()};
}

// ---------------------------------------------------------------------------------------------------------------------

class RunsOfEveryCount : public testing::TestWithParam<const char*> {};

TEST_P(RunsOfEveryCount, MeanWhatTheFormatSays) {
    constexpr std::uint32_t kWidth = 40;
    constexpr std::uint32_t kHeight = 20;
    std::mt19937 random(3);
    for (int count = -128; count < 128; ++count)
        for (const std::size_t before : {0U, 1U, 7U}) {
            SCOPED_TRACE(testing::Message() << "count " << count << " after " << before << " literals");
            ByteVector background;  // 800 different pixels
            for (int row = 0; row < 8; ++row) {
                background.push_back(static_cast<std::uint8_t>(-100));
                for (int i = 0; i < 200; ++i)
                    background.push_back(static_cast<std::uint8_t>(random()));
            }
            ByteVector runs;
            const auto literals = [&](std::size_t n) {
                if (n > 0)
                    runs.push_back(static_cast<std::uint8_t>(256 - n));
                for (std::size_t i = 0; i < n * 2; ++i)
                    runs.push_back(static_cast<std::uint8_t>(random()));
            };
            literals(before);
            if (count < 0) {
                literals(static_cast<std::size_t>(-count));
            } else {
                runs.push_back(static_cast<std::uint8_t>(count));
                if (std::string_view(GetParam()) == "ELRH")
                    runs.insert(runs.end(), {0x34, 0x12});
            }
            literals(3);
            const auto file = open(video(kWidth, kHeight, {{"ELRH", background}, {GetParam(), runs}}));
            ASSERT_EQ(file->frames.size(), 2U);
            Picture expected(kWidth * kHeight);
            showPlainly(file->frames[0], expected);
            RlfCursor cursor(file);
            EXPECT_EQ(pictureOf(cursor, 0), expected);
            showPlainly(file->frames[1], expected);
            EXPECT_EQ(pictureOf(cursor, 1), expected);
        }
}

INSTANTIATE_TEST_SUITE_P(Codecs, RunsOfEveryCount, testing::Values("ELRH", "ELHD"),
                         [](const auto& codec) { return std::string(codec.param); });

/// Frames with many runs, near to each other and far apart, whose literals have these lengths.
void checkVideoOf(const char* codec, int shortest, int longest) {
    SCOPED_TRACE(testing::Message() << codec << ", literals of " << shortest << " to " << longest);
    constexpr std::uint32_t kWidth = 320;
    constexpr std::uint32_t kHeight = 200;
    constexpr int kPixels = kWidth * kHeight;
    std::mt19937 random(5);
    const auto some = [&random](int from, int to) {
        return from + static_cast<int>(random() % static_cast<unsigned>(to - from + 1));
    };
    const auto addLiterals = [&random](ByteVector& runs, int count) {
        runs.push_back(static_cast<std::uint8_t>(-count));
        for (int i = 0; i < count * 2; ++i)
            runs.push_back(static_cast<std::uint8_t>(random()));
    };
    ByteVector background;
    for (int at = 0; at < kPixels; at += 100)
        addLiterals(background, 100);
    std::vector<HandFrame> frames = {{"ELRH", background}};
    for (const int farthest : {1, 20, 127, 3000}) {
        ByteVector runs;
        for (int at = 0; at < kPixels;) {
            const int count = some(shortest, longest);
            addLiterals(runs, count);
            at += count;
            for (int far = some(0, farthest); far > 0; far -= 128) {
                runs.push_back(static_cast<std::uint8_t>(std::min(far - 1, 127)));
                if (std::string_view(codec) == "ELRH")
                    runs.insert(runs.end(), {0x34, 0x12});
                at += std::min(far, 128);
            }
        }
        frames.push_back({codec, runs});
    }
    const auto file = open(video(kWidth, kHeight, frames));
    ASSERT_EQ(file->frames.size(), frames.size());
    Picture expected(kPixels);
    RlfCursor cursor(file);
    for (std::uint32_t i = 0; i < frames.size(); ++i) {
        showPlainly(file->frames[i], expected);
        ASSERT_EQ(pictureOf(cursor, i), expected) << i;
    }
}

TEST(Rlf, RunsOfSeveralLengthsMeanWhatTheFormatSays) {
    for (const char* codec : {"ELRH", "ELHD"}) {
        for (const int length : {1, 2, 3, 4, 5, 6, 23, 24, 25, 48, 49, 128})
            checkVideoOf(codec, length, length);
        for (const int longest : {4, 6, 30, 128})
            checkVideoOf(codec, 1, longest);
    }
}

TEST(Rlf, PixelsAfterThePictureAreLeftOut) {
    // 4 pixels; a repetition of 129 and 128 literals
    ByteVector literals(1, 0x80);
    for (int i = 0; i < 128; ++i)
        literals.insert(literals.end(), {static_cast<std::uint8_t>(i), 0});
    const auto file =
        open(video(2, 2, {{"ELRH", {0x7F, 7, 0}}, {"ELHD", {0x00, 0xFF, 9, 0, 0x7F}}, {"ELHD", literals}}));
    RlfCursor cursor(file);
    EXPECT_EQ(pictureOf(cursor, 0), (Picture{7, 7, 7, 7}));
    EXPECT_EQ(pictureOf(cursor, 1), (Picture{7, 9, 7, 7}));
    EXPECT_EQ(pictureOf(cursor, 2), (Picture{0, 1, 2, 3}));
}

TEST(Rlf, AKeyFrameThatEndsEarlyKeepsTheOlderPixels) {
    const auto file = open(video(3, 1, {{"ELRH", {0x01, 5, 0}}, {"ELRH", {0x00, 6, 0}}}));
    EXPECT_TRUE(file->standsAlone(file->frames[0]));
    EXPECT_FALSE(file->standsAlone(file->frames[1]));
    RlfCursor cursor(file);
    EXPECT_EQ(pictureOf(cursor, 1), (Picture{6, 6, 5}));
}

TEST(Rlf, ADeltaAsTheFirstFrameIsOnBlack) {
    const auto file = open(video(3, 1, {{"ELHD", {0x00, 0xFF, 8, 0}}, {"ELHD", {}}}));
    RlfCursor cursor(file);
    EXPECT_EQ(pictureOf(cursor, 1), (Picture{0, 8, 0}));
    EXPECT_EQ(pictureOf(cursor, 0), (Picture{0, 8, 0}));
}

std::vector<std::string> messagesOf(const core::Diagnostics& diagnostics) {
    std::vector<std::string> messages;
    for (const core::Warning& warning : diagnostics.warnings())
        messages.push_back(warning.message());
    return messages;
}

TEST(Rlf, RunsThatPassTheEndOfTheirDataAreClippedAndTheVideoGoesOn) {
    const ByteVector bytes =
        video(3, 2,
              {
                  {"ELRH", {0x04, 5, 0}},           // six times 5
                  {"ELRH", {0xFC, 6, 0, 7, 0, 8}},  // four literals, of which two and a half are present
                  {"ELRH", {0xFF, 9, 0, 0x7F, 1}},  // a literal; a repetition of half a pixel
                  {"ELRH", {0x00}},                 // a repetition without its pixel
                  {"ELHD", {0x01, 0x80, 10, 0}},    // two stay; 128 literals, of which one is present
                  {"ELHD", {0x04, 0xFE}},           // five stay; the literals are missing
                  {"ELHD", {0x04, 0xFF, 11, 0}},
              });
    core::Diagnostics diagnostics;
    const auto file = decodeRlf(bytes, {}, diagnostics);
    EXPECT_EQ(messagesOf(diagnostics),
              (std::vector<std::string>{
                  "warning: frames[1].data: ends inside a run of 4 pixels; 2 of them are drawn",
                  "warning: frames[2].data: ends inside a run of 129 pixels; 0 of them are drawn",
                  "warning: frames[3].data: ends inside a run of 2 pixels; 0 of them are drawn",
                  "warning: frames[4].data: ends inside a run of 128 pixels; 1 of them are drawn",
                  "warning: frames[5].data: ends inside a run of 2 pixels; 0 of them are drawn",
              }));
    const std::vector<Picture> expected = {{5, 5, 5, 5, 5, 5},  {6, 7, 5, 5, 5, 5},  {9, 7, 5, 5, 5, 5},
                                           {9, 7, 5, 5, 5, 5},  {9, 7, 10, 5, 5, 5}, {9, 7, 10, 5, 5, 5},
                                           {9, 7, 10, 5, 5, 11}};
    ASSERT_EQ(file->frames.size(), expected.size());
    RlfCursor forwards(file);
    RlfCursor backwards(file);
    for (std::uint32_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(pictureOf(forwards, i), expected[i]) << i;
        const auto last = static_cast<std::uint32_t>(expected.size()) - 1 - i;
        EXPECT_EQ(pictureOf(backwards, last), expected[last]) << last;
    }
}

/// A picture of noise, and frames that each change a few pixels of the picture before.
ByteVector videoWithOneKey(std::uint32_t width, std::uint32_t height, std::uint32_t frames) {
    std::mt19937 random(29);
    std::vector<HandFrame> made = {{"ELRH", {}}};
    for (std::uint32_t at = 0; at < width * height; ++at)
        made[0].runs.insert(made[0].runs.end(),
                            {0xFF, static_cast<std::uint8_t>(random()), static_cast<std::uint8_t>(random())});
    for (std::uint32_t f = 1; f < frames; ++f) {
        ByteVector runs;
        for (std::uint32_t at = 0; at + 200 < width * height;) {
            const auto kept = static_cast<std::uint8_t>(random() % 128);
            runs.insert(runs.end(),
                        {kept, 0xFF, static_cast<std::uint8_t>(random()), static_cast<std::uint8_t>(random())});
            at += kept + 2U;
        }
        made.push_back({"ELHD", std::move(runs)});
    }
    return video(width, height, made);
}

struct Backwards {
    std::uint32_t width;
    std::uint32_t height;
    std::uint32_t frames;
    std::uint64_t mostDecoded;
};

class PlayedBackwards : public testing::TestWithParam<Backwards> {};

TEST_P(PlayedBackwards, ShowsTheSameAndDecodesNoFrameOften) {
    const Backwards& given = GetParam();
    const auto file = open(videoWithOneKey(given.width, given.height, given.frames));
    ASSERT_EQ(file->frames.size(), given.frames);
    Picture expected(file->pixels());
    std::vector<std::uint64_t> hashes;
    for (const RlfFrame& frame : file->frames) {
        showPlainly(frame, expected);
        hashes.push_back(XXH3_64bits(expected.data(), expected.size() * sizeof(Pixel555)));
    }
    RlfCursor cursor(file);
    const auto expectShown = [&](std::uint32_t index) {
        const auto picture = cursor.picture(index);
        ASSERT_EQ(XXH3_64bits(picture.data(), picture.size_bytes()), hashes[index]) << "picture " << index;
    };
    for (std::uint32_t i = 0; i < given.frames; ++i)
        expectShown(i);
    EXPECT_EQ(cursor.decodedFrames(), given.frames);
    for (std::uint32_t i = given.frames; i-- > 0;)
        expectShown(i);
    EXPECT_LE(cursor.decodedFrames(), given.mostDecoded);
    for (std::uint32_t i = 0; i < given.frames; ++i)  // and from there on
        expectShown(i);
    EXPECT_LE(cursor.decodedFrames(), given.mostDecoded + given.frames);
}

// First: all pictures are kept. Second: 38 of them need 16 MiB. Third: a single one does. Starting at the key frame
// each time, the numbers would be 4950, 19900 and 15.
INSTANTIATE_TEST_SUITE_P(Rlf, PlayedBackwards,
                         testing::Values(Backwards{40, 30, 100, 100 + 100}, Backwards{640, 344, 200, 200 + 600},
                                         Backwards{2048, 2049, 6, 6 + 10}));

TEST(Rlf, AFrameWhoseDataIsNotWhereItSaysLeavesThePicture) {
    for (const std::uint32_t offset : {0U, 27U, 33U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
        ByteVector bytes = video(3, 1, {{"ELRH", {0x01, 5, 0}}, {"ELRH", {0xFD, 1, 0}}, {"ELHD", {0xFF, 6, 0}}});
        constexpr std::size_t kSecond = 0xB4 + 28 + 3;
        bytes[kSecond + 4] = 32;  // the whole size; one byte more would be after the data
        bytes.insert(bytes.begin() + kSecond + 31, 0);
        for (unsigned byte = 0; byte < 4; ++byte)
            bytes[kSecond + 20 + byte] = static_cast<std::uint8_t>(offset >> (8 * byte));
        core::Diagnostics diagnostics;
        const auto file = decodeRlf(bytes, {}, diagnostics);
        EXPECT_EQ(messagesOf(diagnostics),
                  (std::vector<std::string>{"warning: frames[1].data_offset: is " + std::to_string(offset) +
                                            ", expected 28 to 32; the previous frame is repeated"}));
        ASSERT_EQ(file->frames.size(), 3U);
        RlfCursor cursor(file);
        EXPECT_EQ(pictureOf(cursor, 1), (Picture{5, 5, 5}));
        EXPECT_EQ(pictureOf(cursor, 2), (Picture{6, 5, 5}));
    }
}

TEST(Rlf, ADamagedFirstFrameIsDrawnAsFarAsItGoes) {
    const auto file = open(video(3, 1, {{"ELRH", {0xFD, 1, 0}}, {"ELRH", {0x01, 5, 0}}}));
    ASSERT_EQ(file->frames.size(), 2U);
    RlfCursor cursor(file);
    EXPECT_EQ(pictureOf(cursor, 0), (Picture{1, 0, 0}));
    EXPECT_EQ(pictureOf(cursor, 1), (Picture{5, 5, 5}));
    EXPECT_EQ(pictureOf(cursor, 0), (Picture{1, 0, 0}));
}

TEST(Rlf, FramesCutAnywhereShowWhatTheFormatSays) {
    constexpr std::uint32_t kWidth = 60;
    std::mt19937 random(17);
    for (const char* codec : {"ELRH", "ELHD"})
        for (int round = 0; round < 20; ++round) {
            ByteVector runs(1 + random() % 150);
            for (std::uint8_t& byte : runs)
                byte = static_cast<std::uint8_t>(random() % 3 == 0 ? random() : 250 + random() % 12);
            std::vector<HandFrame> frames = {{"ELRH", {0x3A, 0x34, 0x12}}};
            for (std::size_t size = 0; size <= runs.size(); ++size)
                frames.push_back({codec, ByteVector(runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(size))});
            const auto file = open(video(kWidth, 1, frames));
            ASSERT_EQ(file->frames.size(), frames.size());
            Picture expected(kWidth);
            RlfCursor cursor(file);
            for (std::uint32_t i = 0; i < frames.size(); ++i) {
                showPlainly(i == 0 || codec[3] == 'H' ? Codec::key : Codec::delta, frames[i].runs, expected);
                ASSERT_EQ(pictureOf(cursor, i), expected) << codec << ", round " << round << ", frame " << i;
            }
        }
}

TEST(Rlf, OnlyASoundFileIsSurelyOne) {
    const ByteVector sound = video(3, 1, {{"ELRH", {0x01, 5, 0}}, {"ELHD", {0x00, 0xFF, 6, 0}}, {"ELHD", {}}});
    EXPECT_TRUE(isRlf(sound));
    for (std::size_t size = 0; size < sound.size(); ++size)
        EXPECT_FALSE(isRlf(core::Bytes(sound).first(size))) << size;
    ByteVector longer = sound;
    longer.push_back(0);
    EXPECT_FALSE(isRlf(longer));
    EXPECT_FALSE(isRlf(video(3, 1, {{"ELRH", {0x01, 5}}})));     // half a pixel
    EXPECT_FALSE(isRlf(video(3, 1, {{"ELHD", {0xFE, 5, 0}}})));  // two literals, of which one is present
    ByteVector elsewhere = sound;
    elsewhere[0xB4 + 20] = 32;  // after the data of frame 0
    EXPECT_FALSE(isRlf(elsewhere));
    EXPECT_TRUE(beginsLikeRlf(elsewhere));
}

TEST(Rlf, AMillionDamagedFramesGiveABoundedNumberOfWarnings) {
    constexpr std::uint32_t kFrames = 1000000;
    const ByteVector one = video(1, 1, {{"ELHD", {0xFF}}});
    ByteVector bytes(one.begin(), one.begin() + 0xB4);
    for (unsigned byte = 0; byte < 4; ++byte)
        bytes[0x10 + byte] = static_cast<std::uint8_t>(kFrames >> (8 * byte));
    for (std::uint32_t i = 0; i < kFrames; ++i)
        bytes.insert(bytes.end(), one.begin() + 0xB4, one.end());
    core::Diagnostics diagnostics;
    const auto file = decodeRlf(bytes, {}, diagnostics);
    EXPECT_EQ(file->frames.size(), kFrames);
    ASSERT_EQ(diagnostics.warnings().size(), 10001U);
    EXPECT_EQ(diagnostics.warnings().back().message(),
              "warning: frames[10000].data: ends inside a run of 1 pixels; 0 of them are drawn; 989999 more like this");
}

TEST(Rlf, TheIndexOfManyFramesIsBoundedByTheLimitOfMemory) {
    const ByteVector file = video(1, 1, std::vector<HandFrame>(20000, HandFrame{"ELHD", {}}));
    core::Limits limits;
    limits.memory = 4U << 20U;
    core::Diagnostics diagnostics;
    try {
        (void)decodeRlf(file, limits, diagnostics);
        FAIL();
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.kind(), core::DecodeError::Kind::limit);
        EXPECT_THAT(error.what(),
                    testing::HasSubstr("would need 5 MiB of memory, but the limit is 4 (see option limit-memory=MIB)"));
    }
}

TEST(Rlf, ThePixelsOfAllPicturesAreBoundedByTheirLimit) {
    const ByteVector file = video(2, 2, std::vector<HandFrame>(3, HandFrame{"ELRH", {0xFF, 1, 0}}));
    core::Limits limits;
    limits.videoPixels = 11;
    core::Diagnostics diagnostics;
    try {
        (void)decodeRlf(file, limits, diagnostics);
        FAIL();
    } catch (const core::DecodeError& error) {
        EXPECT_EQ(error.kind(), core::DecodeError::Kind::limit);
        EXPECT_STREQ(error.what(),
                     "frames[2].data at 0x111: together, the frames up to this one exceed the limit of 11 pixels (see "
                     "option limit-samples=N)");
    }
}

TEST(Rlf, PicturesLongerThanAPngMayBeAreRefused) {
    for (const bool transposed : {false, true}) {
        const auto file = [transposed](std::uint32_t side) {
            return video(transposed ? 1 : side, transposed ? side : 1, {{"ELHD", {0xFF, 1, 0}}});
        };
        EXPECT_EQ(open(file(999998))->frames.size(), 1U);
        try {
            (void)open(file(999999));
            ADD_FAILURE();
        } catch (const core::DecodeError& error) {
            EXPECT_EQ(error.kind(), core::DecodeError::Kind::limit);
            EXPECT_STREQ(error.what(), transposed ? "picture.height at 0xa0: is 999999, but the limit is 999998"
                                                  : "picture.width at 0x9c: is 999999, but the limit is 999998");
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// Ways to decode a delta frame

/// Random steps with their data.
struct RandomDelta {
    ByteVector data;
    std::size_t pixels = 0;

    RandomDelta(std::mt19937& random, int longestLiteral, int longestKept, std::size_t least) {
        const auto upTo = [&random](int most) { return static_cast<int>(random() % static_cast<unsigned>(most + 1)); };
        while (pixels < least) {
            if (const int literals = upTo(longestLiteral); literals > 0) {
                data.push_back(static_cast<std::uint8_t>(-literals));
                for (int i = 0; i < 2 * literals; ++i)
                    data.push_back(static_cast<std::uint8_t>(random()));
                pixels += static_cast<std::size_t>(literals);
            }
            if (const int kept = upTo(longestKept); kept > 0) {
                data.push_back(static_cast<std::uint8_t>(kept - 1));
                pixels += static_cast<std::size_t>(kept);
            }
        }
    }
};

TEST(Runs, EveryWayShowsTheSame) {
    std::mt19937 random(23);
    for (const auto& [literal, kept] :
         {std::pair{1, 1}, {3, 4}, {7, 1}, {8, 8}, {9, 17}, {24, 25}, {128, 128}, {2, 128}}) {
        const RandomDelta delta(random, literal, kept, 2000);
        Picture before(delta.pixels);
        for (Pixel555& pixel : before)
            pixel = static_cast<Pixel555>(random());
        for (const std::size_t pixels : {delta.pixels, delta.pixels - 1, delta.pixels / 2, std::size_t{1}}) {
            std::vector<DeltaStep> steps;
            EXPECT_EQ(appendDeltaSteps(delta.data, pixels, steps).pixels, delta.pixels);
            Picture expected(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(pixels));
            showPlainly(Codec::delta, delta.data, expected);
            for (const DeltaWay way : {DeltaWay::inPlace, DeltaWay::blocks8, DeltaWay::blocks16, DeltaWay::blocks24}) {
                ByteVector data = delta.data;
                data.resize(data.size() + kRunRoom * sizeof(Pixel555));
                std::array<Picture, 2> surfaces;
                surfaces.fill(Picture(pixels + kRunRoom, 0xAAAA));
                std::copy_n(before.begin(), pixels, surfaces[0].begin());
                Surfaces both{surfaces[0].data(), surfaces[1].data()};
                decodeDelta(core::Bytes(data).first(delta.data.size()), steps, way, pixels, both);
                EXPECT_EQ(Picture(both.shown, both.shown + pixels), expected)
                    << "way " << static_cast<int>(way) << ", runs up to " << literal << " and " << kept;
            }
        }
    }
}

TEST(Runs, FewChangesAreDrawnInPlaceAndManyInBlocksOfTheirSize) {
    const auto wayFor = [](int literal, int kept) {
        const std::vector<DeltaStep> steps(1000, {static_cast<std::uint8_t>(literal), static_cast<std::uint8_t>(kept)});
        return fastestWay(steps, 1000 * static_cast<std::size_t>(literal + kept));
    };
    EXPECT_EQ(wayFor(3, 128), DeltaWay::inPlace);
    EXPECT_EQ(wayFor(100, 100), DeltaWay::inPlace);
    EXPECT_EQ(wayFor(3, 1), DeltaWay::blocks8);
    EXPECT_EQ(wayFor(12, 2), DeltaWay::blocks16);
    EXPECT_EQ(fastestWay({}, 100000), DeltaWay::inPlace);
}

// ---------------------------------------------------------------------------------------------------------------------

TEST(Rlf, WordsAreKept) {
    ByteVector file = video(3, 1, {{"ELRH", {0x01, 5, 0}}});
    file[0x08] = 0x11;
    file[0x0C] = 0x12;
    file[0xB4 + 8] = 0x13;
    file[0xB4 + 12] = 0x14;
    file[0xB4 + 24] = 0x15;
    const auto read = open(file);
    EXPECT_EQ(read->unknown08, 0x11U);
    EXPECT_EQ(read->unknown0C, 0x12U);
    EXPECT_EQ(read->frames[0].unknown08, 0x13U);
    EXPECT_EQ(read->frames[0].unknown0C, 0x14U);
    EXPECT_EQ(read->frames[0].unknown18, 0x15U);
}

void insertBytes(ByteVector& file, std::size_t at, const ByteVector& bytes) {
    file.insert(file.begin() + static_cast<std::ptrdiff_t>(at), bytes.begin(), bytes.end());
}

/// Everything that may differ between files with the same pictures: a fourth codec in the list, chunks with bytes after
/// their fields, a gap before a frame's runs, bytes after the last frame, and a value in every unknown word.
ByteVector unusualVideo() {
    ByteVector file = video(3, 1, {{"ELRH", {0x01, 5, 0}}, {"ELHD", {0x00, 0xFF, 6, 0}}});
    const auto setByte = [&file](std::size_t at, unsigned value) { file.at(at) = static_cast<std::uint8_t>(value); };
    for (std::size_t at : {0x04U, 0x08U, 0x0CU, 0x1CU, 0x20U, 0x27U, 0x8CU, 0x9BU, 0xACU, 0xBCU, 0xC0U, 0xCCU})
        setByte(at, 0xA0 + at % 16);
    insertBytes(file, 0xD0, {1, 2, 3});  // before the runs of the first frame
    setByte(0xB8, 28 + 3 + 3);
    setByte(0xC8, 28 + 3);
    insertBytes(file, 0xB4, {4, 5});  // after the frame time
    setByte(0xA8, 16 + 2);
    insertBytes(file, 0xA4, {6, 7, 8, 9});  // after the height
    setByte(0x88, 32 + 4);
    insertBytes(file, 0x84, ByteVector(32, 0x20));  // after the third codec
    setByte(0x18, 112 + 32);
    file.insert(file.end(), {10, 11});
    return file;
}

ByteVector encodedDump(const Json& dump, core::Diagnostics& diagnostics) {
    const OptionValues options;
    Context context{options, {}, diagnostics};
    return formatNamed("rlf")->encode(JsonReader(dump), context);
}

Json dumpOf(const ByteVector& file) {
    const OptionValues options;
    core::Diagnostics diagnostics;
    Context context{options, {}, diagnostics};
    return formatNamed("rlf")->open(File{"unusual.rlf", file}, {}, context)->dump();
}

TEST(Rlf, WhatNoPlayerReadsIsKept) {
    const ByteVector file = unusualVideo();
    core::Diagnostics diagnostics;
    const auto read = decodeRlf(file, {}, diagnostics);
    EXPECT_EQ(messagesOf(diagnostics), std::vector<std::string>{"note: trailing: 2 bytes follow the last frame"});
    EXPECT_EQ(read->codecsSize, 144U);
    EXPECT_EQ(read->codecs.size(), 136U);
    EXPECT_EQ(read->pictureRest, (ByteVector{6, 7, 8, 9}));
    EXPECT_EQ(read->timeRest, (ByteVector{4, 5}));
    EXPECT_EQ(read->unknownAC, 0xACU);
    EXPECT_EQ(read->frames[0].body.size(), 6U);
    EXPECT_EQ(read->frames[0].data().size(), 3U);
    RlfCursor cursor(read);
    EXPECT_EQ(pictureOf(cursor, 1), (Picture{5, 6, 5}));
    EXPECT_EQ(encodeRlf(*read), file);
    EXPECT_TRUE(isRlf(core::Bytes(file).first(file.size() - 2)));
}

TEST(RlfDump, BecomesTheSameFile) {
    const ByteVector unusual = unusualVideo();
    ByteVector cut = unusual;
    cut.resize(cut.size() - 4);  // the second frame is incomplete
    ByteVector lost = unusual;
    lost[0xC8 + 38] = 0xFF;  // the first frame's data offset
    ByteVector sizes = video(3, 1, {{"ELRH", {0x01, 5, 0}}});
    for (const std::size_t at : {0x18U, 0x88U, 0xA8U})
        sizes[at] = 3;
    for (const ByteVector& file : {unusual, cut, lost, sizes, video(1, 1, {})}) {
        core::Diagnostics diagnostics;
        EXPECT_EQ(encodedDump(dumpOf(file), diagnostics), file);
        EXPECT_EQ(messagesOf(diagnostics), std::vector<std::string>());
    }
}

TEST(RlfDump, WithoutWhatNoPlayerReadsBecomesAnOrdinaryFile) {
    const ByteVector file = encodeRlf(3, 1, {{5, 5, 5}, {5, 6, 5}}, {});
    Json dump = dumpOf(file);
    for (const char* member : {"size", "unknown_08", "unknown_0c", "codecs", "picture", "time", "frame_count",
                               "frames_decoded", "frame_types", "key_frames", "palindrome", "trailing"})
        dump.erase(member);
    for (Json& frame : dump["frames"])
        for (const char* member : {"offset", "size", "unknown_08", "unknown_0c", "data_offset", "unknown_18"})
            frame.erase(member);
    core::Diagnostics diagnostics;
    EXPECT_EQ(encodedDump(dump, diagnostics), file);
    EXPECT_EQ(messagesOf(diagnostics), std::vector<std::string>());
}

TEST(RlfDump, CountsFollowWhatWasEdited) {
    Json dump = dumpOf(unusualVideo());
    dump["frames"].erase(1);
    dump["codecs"]["list"] = "0102";
    dump["time"]["size"] = 7;
    core::Diagnostics diagnostics;
    const ByteVector file = encodedDump(dump, diagnostics);
    EXPECT_EQ(messagesOf(diagnostics),
              (std::vector<std::string>{"warning: codecs.size: is 144; 10 is written instead",
                                        "warning: time.size: is 7; 18 is written instead",
                                        "warning: frame_count: is 2; 1 is written instead",
                                        "note: frames_decoded: is 2; 1 is written instead, calculated from the other "
                                        "values (and 2 more like it)"}));
    const auto read = open(file);
    EXPECT_EQ(read->codecs, (ByteVector{1, 2}));
    EXPECT_EQ(read->frames.size(), 1U);
}

TEST(RlfDump, IsRefusedWhereNoFileCanHoldIt) {
    const auto problemWith = [](const char* pointer, const Json& value) {
        Json dump = dumpOf(unusualVideo());
        dump[Json::json_pointer(pointer)] = value;
        try {
            core::Diagnostics diagnostics;
            (void)encodedDump(dump, diagnostics);
        } catch (const core::DecodeError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_EQ(problemWith("/frames/0/codec", "vertical"), "frames[0].codec: is \"vertical\", expected key or delta");
    EXPECT_EQ(problemWith("/picture/unknown_8c", "00"), "picture.unknown_8c: is \"00\", expected 16 bytes");
    EXPECT_EQ(problemWith("/width", 0), "width: is 0, expected at least 1");
    EXPECT_EQ(problemWith("/height", 999999), "height: is 999999, but the limit is 999998");
}

// ---------------------------------------------------------------------------------------------------------------------
// Any order

std::vector<fs::path> videos() {
    std::vector<fs::path> files;
    for (const char* folder : {"samples", "tests/data/conformance/rlf", "tests/data/motion"})
        for (const auto& entry : fs::recursive_directory_iterator(test::sourceFolder() / folder))
            if (entry.path().extension() == ".rlf")
                files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

std::uint64_t hashOf(std::span<const Pixel555> picture) {
    return XXH3_64bits(picture.data(), picture.size() * sizeof(Pixel555));
}

void expectSeeksToShow(const std::shared_ptr<const Rlf>& file, const std::vector<std::uint64_t>& hashes,
                       unsigned seed) {
    constexpr int kSeeks = 1000;
    RlfCursor cursor(file);
    std::mt19937 random(seed);
    for (int i = 0; i < kSeeks; ++i) {
        const auto index = static_cast<std::uint32_t>(random() % hashes.size());
        ASSERT_EQ(hashOf(cursor.picture(index)), hashes[index]) << "picture " << index;
    }
}

TEST(Rlf, AThousandSeeksOnEachOfFourThreadsShowTheSamePictures) {
    int files = 0;
    for (const fs::path& path : videos()) {
        SCOPED_TRACE(path);
        core::Diagnostics diagnostics;
        std::shared_ptr<const Rlf> file;
        try {
            file = decodeRlf(test::readBytes(path), {}, diagnostics);
        } catch (const core::DecodeError&) {
            continue;
        }
        if (file->frames.empty())
            continue;
        ++files;
        std::vector<std::uint64_t> hashes;
        Picture surface(file->pixels());
        for (const RlfFrame& frame : file->frames) {
            showPlainly(frame, surface);
            hashes.push_back(hashOf(surface));
        }
        std::vector<std::thread> threads;
        for (unsigned seed = 0; seed < 4; ++seed)
            threads.emplace_back([&, seed] { expectSeeksToShow(file, hashes, seed); });
        for (std::thread& thread : threads)
            thread.join();
    }
    EXPECT_GE(files, 20);
}

// ---------------------------------------------------------------------------------------------------------------------
// Encoding

/// Noise, bands and copies of the picture before, so that every kind of run appears.
std::vector<Picture> randomPictures(std::mt19937& random, std::size_t pixels) {
    std::vector<Picture> pictures;
    for (int i = 0; i < 4; ++i) {
        Picture picture(pixels);
        std::size_t at = 0;
        while (at < pixels) {
            const std::size_t end = std::min(pixels, at + 1 + random() % 140);
            const auto kind = random() % 3;
            const auto color = static_cast<Pixel555>(random() & 0x7FFFU);
            for (; at < end; ++at)
                picture[at] = kind == 0             ? static_cast<Pixel555>(random() & 0x7FFFU)
                              : kind == 1 || i == 0 ? color
                                                    : pictures.back()[at];
        }
        pictures.push_back(std::move(picture));
    }
    return pictures;
}

TEST(RlfEncoder, PicturesOfEverySizeSurvive) {
    std::mt19937 random(11);
    for (std::uint32_t height = 1; height <= 5; ++height)
        for (std::uint32_t width = 1; width <= 67; ++width) {
            SCOPED_TRACE(testing::Message() << width << " x " << height);
            const std::vector<Picture> pictures = randomPictures(random, std::size_t{width} * height);
            const auto file = open(encodeRlf(width, height, pictures, {}));
            ASSERT_EQ(file->frames.size(), pictures.size());
            RlfCursor cursor(file);
            Picture plainly(pictures[0].size());
            for (std::uint32_t i = 0; i < pictures.size(); ++i) {
                EXPECT_EQ(pictureOf(cursor, i), pictures[i]);
                showPlainly(file->frames[i], plainly);
                EXPECT_EQ(plainly, pictures[i]);
            }
        }
}

TEST(RlfEncoder, RefusesPicturesWithoutPixels) {
    try {
        (void)encodeRlf(0, 5, {}, {});
        FAIL();
    } catch (const core::DecodeError& error) {
        EXPECT_STREQ(error.what(), "frames of 0 x 5 pixels can't be written");
    }
}

TEST(RlfEncoder, KeyFramesComeAtTheirInterval) {
    const std::vector<Picture> pictures(7, Picture(50, 3));
    RlfEncoding encoding;
    encoding.keyInterval = 3;
    const auto file = open(encodeRlf(10, 5, pictures, encoding));
    std::vector<std::size_t> keys;
    for (std::size_t i = 0; i < file->frames.size(); ++i)
        if (file->frames[i].codec == Codec::key)
            keys.push_back(i);
    EXPECT_EQ(keys, (std::vector<std::size_t>{0, 3, 6}));
}

TEST(RlfEncoder, IsNoLargerThanOthersAndLosesNothing) {
    std::size_t theirs = 0;
    std::size_t ours = 0;
    for (const fs::path& path : videos()) {
        SCOPED_TRACE(path);
        const ByteVector bytes = test::readBytes(path);
        core::Diagnostics diagnostics;
        std::shared_ptr<const Rlf> file;
        try {
            file = decodeRlf(bytes, {}, diagnostics);
        } catch (const core::DecodeError&) {
            continue;
        }
        std::vector<Picture> pictures;
        RlfCursor cursor(file);
        for (std::uint32_t i = 0; i < file->frames.size(); ++i)
            pictures.push_back(pictureOf(cursor, i));
        RlfEncoding encoding;
        encoding.frameTime = file->frameTime;
        const ByteVector encoded = encodeRlf(file->width, file->height, pictures, encoding);
        const auto again = open(encoded);
        ASSERT_EQ(again->frames.size(), pictures.size());
        EXPECT_EQ(again->frameTime, file->frameTime);
        RlfCursor second(again);
        for (std::uint32_t i = 0; i < pictures.size(); ++i)
            EXPECT_EQ(pictureOf(second, i), pictures[i]);
        if (diagnostics.warnings().empty()) {
            theirs += bytes.size();
            ours += encoded.size();
        }
    }
    EXPECT_GT(theirs, 100000U);
    EXPECT_LE(ours, theirs);
}

TEST(RlfEncoder, PicturesOfAnotherSizeAreRefused) {
    try {
        (void)encodeRlf(2, 2, {Picture(4), Picture(3)}, {});
        FAIL();
    } catch (const core::DecodeError& error) {
        EXPECT_STREQ(error.what(), "frames[1]: has 3 pixels, expected 2 x 2");
    }
}

// ---------------------------------------------------------------------------------------------------------------------
// A video as a sequence

core::ImageSequence sequenceOf(const ByteVector& file, VideoSettings settings, core::Diagnostics& diagnostics) {
    return toSequence(decodeRlf(file, {}, diagnostics), settings, diagnostics);
}

TEST(Video, TheRateIsExact) {
    core::Diagnostics diagnostics;
    const core::ImageSequence images = sequenceOf(video(1, 1, {{"ELRH", {0xFF, 0, 0}}}, 666), {}, diagnostics);
    EXPECT_EQ(images.rateNumerator, 10000U);
    EXPECT_EQ(images.rateDenominator, 666U);
    EXPECT_DOUBLE_EQ(images.timeOf(3), 0.1998);
}

TEST(Video, AnotherRateIsExact) {
    for (const auto& [rate, numerator, denominator] :
         {std::tuple{24.0, 24U, 1U}, {950.0, 950U, 1U}, {29.97, 2997U, 100U}, {23.976, 2997U, 125U}}) {
        core::Diagnostics diagnostics;
        VideoSettings settings;
        settings.rate = rate;
        const core::ImageSequence images =
            sequenceOf(video(1, 1, {{"ELRH", {0xFF, 0, 0}}}, 666), settings, diagnostics);
        EXPECT_EQ(images.rateNumerator, numerator);
        EXPECT_EQ(images.rateDenominator, denominator);
    }
}

core::ImageSequence playedAt(std::uint32_t numerator, std::uint32_t denominator) {
    core::ImageSequence images;
    images.rateNumerator = numerator;
    images.rateDenominator = denominator;
    return images;
}

TEST(Video, EveryFrameTimeIsFoundAgain) {
    for (const std::uint32_t frameTime : {1U, 2U, 3U, 666U, 667U, 10000U, 1000000001U, 4294967294U, 4294967295U}) {
        core::Diagnostics diagnostics;
        EXPECT_EQ(frameTimeFor(playedAt(10000, frameTime), diagnostics), frameTime);
        EXPECT_TRUE(diagnostics.warnings().empty());
    }
}

TEST(Video, TheNearestFrameTimeStandsForOtherRates) {
    for (const auto& [numerator, denominator, frameTime, note] :
         {std::tuple{25U, 1U, 400U, ""},
          {24U, 1U, 417U, "note: rate: 24 frames per second are stored as 10000/417, which is 23.9808153"},
          {15U, 1U, 667U, "note: rate: 15 frames per second are stored as 10000/667, which is 14.9925037"},
          {2997U, 100U, 334U, "note: rate: 29.97 frames per second are stored as 10000/334, which is 29.9401198"},
          {9999U, 1U, 1U, "note: rate: 9999 frames per second are stored as 10000/1, which is 10000"}}) {
        core::Diagnostics diagnostics;
        EXPECT_EQ(frameTimeFor(playedAt(numerator, denominator), diagnostics), frameTime);
        EXPECT_EQ(diagnostics.warnings().empty() ? "" : diagnostics.warnings().front().message(), note);
    }
}

TEST(Video, RatesBeyondAllFrameTimesAreRefused) {
    for (const auto& [numerator, denominator] :
         {std::pair{10001U, 1U}, {30000U, 1U}, {4294967295U, 1U}, {9999U, 4294967295U}, {1U, 1000000000U}}) {
        core::Diagnostics diagnostics;
        try {
            (void)frameTimeFor(playedAt(numerator, denominator), diagnostics);
            ADD_FAILURE() << numerator << "/" << denominator;
        } catch (const core::DecodeError& error) {
            EXPECT_EQ(error.what(), "rate: is " + std::to_string(numerator) + "/" + std::to_string(denominator) +
                                        " frames per second, expected 10000/4294967295 to 10000/1");
        }
    }
}

TEST(Video, PanoramasAreToldByTheirNames) {
    const ByteVector file = video(2, 3, {{"ELRH", {0x04, 0, 0}}});
    for (const auto& [name, transpose, transposed] : {std::tuple{"me2pw01.rlf", Transpose::automatic, true},
                                                      {"me2pa01.rlf", Transpose::automatic, false},
                                                      {"ME2PW01.RLF", Transpose::automatic, true},
                                                      {"me2pw01.rlf", Transpose::no, false},
                                                      {"me2pa01.rlf", Transpose::yes, true},
                                                      {"\xC3\xA9xyzw.rlf", Transpose::automatic, true},
                                                      {"\xC3\xA9xyw.rlf", Transpose::automatic, false},
                                                      {"\xF0\x9F\x8E\x9Exyzw.rlf", Transpose::automatic, true},
                                                      {"x", Transpose::automatic, false}}) {
        core::Diagnostics diagnostics;
        VideoSettings settings;
        settings.source = name;
        settings.transpose = transpose;
        const core::ImageSequence images = sequenceOf(file, settings, diagnostics);
        EXPECT_EQ(images.transposed, transposed) << name;
        EXPECT_EQ(images.shownWidth(), transposed ? 3U : 2U);
        const bool reasonGiven = !diagnostics.warnings().empty();
        EXPECT_EQ(reasonGiven, transposed && transpose == Transpose::automatic) << name;
    }
}

TEST(Video, APictureAfterTheLastIsRefused) {
    core::Diagnostics diagnostics;
    const core::ImageSequence images = sequenceOf(video(1, 1, {{"ELRH", {0xFF, 0, 0}}}), {}, diagnostics);
    try {
        (void)images.open()->picture(1);
        FAIL();
    } catch (const std::out_of_range& error) {
        EXPECT_STREQ(error.what(), "there is no frame 1: the video has 1 frames");
    }
}

TEST(Video, AnAlbumHoldsWhatLooksTheSameOnce) {
    std::vector<HandFrame> frames;
    for (const std::uint8_t blue : std::initializer_list<std::uint8_t>{1, 2, 1, 3, 2})
        frames.push_back({"ELRH", {0xFF, blue, 0}});
    const ByteVector file = video(1, 1, frames);
    core::Diagnostics diagnostics;
    const core::ImageSequence images = sequenceOf(file, {}, diagnostics);
    using List = std::vector<std::uint32_t>;
    const auto cellsOf = [](const pictures::Album& album) {
        List cells;
        for (std::size_t i = 0; i < album.pictures().size(); ++i)
            cells.push_back(album.cellOf(i));
        return cells;
    };
    const auto bluesOf = [&](const pictures::Album& album) {
        const pictures::Picture page = album.page(0, *images.open());
        List blues;
        for (std::uint32_t cell = 0; cell < album.distinct().size(); ++cell) {
            const pictures::Place place = album.layout().placeOf(cell);
            blues.push_back(page.at(place.x, place.y)[2]);
        }
        return blues;
    };
    EXPECT_EQ(pictures::allPictures(images), (List{0, 1, 2, 3, 4}));
    const pictures::Album all = pictures::Album::ofDistinct(images, pictures::allPictures(images));
    EXPECT_EQ(all.distinct(), (List{0, 1, 3}));
    EXPECT_EQ(cellsOf(all), (List{0, 1, 0, 2, 1}));
    EXPECT_EQ(bluesOf(all), (List{8, 16, 24}));  // 5 bits widened to 8
    const pictures::Album some = pictures::Album::ofDistinct(images, {2, 4});
    EXPECT_EQ(some.pictures(), (List{2, 4}));
    EXPECT_EQ(some.distinct(), (List{0, 1}));
    EXPECT_EQ(cellsOf(some), (List{0, 1}));
    const pictures::Album each = pictures::Album::ofEach(images, {2, 3, 0});
    EXPECT_EQ(each.distinct(), (List{2, 3, 0}));
    EXPECT_EQ(cellsOf(each), (List{0, 1, 2}));
    EXPECT_EQ(bluesOf(each), (List{8, 24, 8}));
}

TEST(Video, APalindromeIsFoundByContent) {
    const auto isPalindrome = [](std::initializer_list<std::uint8_t> colors) {
        std::vector<HandFrame> frames;
        for (const std::uint8_t color : colors)
            frames.push_back({"ELRH", {0xFF, color, 0}});
        core::Diagnostics diagnostics;
        return sequenceOf(video(1, 1, frames), {}, diagnostics).palindrome;
    };
    EXPECT_TRUE(isPalindrome({1, 2, 3, 3, 2, 1}));
    EXPECT_TRUE(isPalindrome({1, 2, 3, 2, 1}));
    EXPECT_FALSE(isPalindrome({1, 2, 3, 3, 2, 4}));
    EXPECT_FALSE(isPalindrome({1, 2, 1}));     // too short to decide
    EXPECT_FALSE(isPalindrome({1, 1, 1, 1}));  // a still picture
}

// ---------------------------------------------------------------------------------------------------------------------
// Messages

// Two frames of a 3 x 2 picture; the second begins at 0xD3.
ByteVector soundVideo() { return video(3, 2, {{"ELRH", {0x04, 5, 0}}, {"ELHD", {0x01, 0xFF, 9, 0}}}); }

struct Case {
    const char* name;
    std::size_t at;
    ByteVector bytes;   ///< the new bytes
    std::size_t size;   ///< new size of the file; 0: unchanged
    const char* error;  ///< null if it can be read
    std::vector<std::string> warnings;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }
class RlfMessages : public testing::TestWithParam<Case> {};

TEST_P(RlfMessages, AreWhole) {
    ByteVector file = soundVideo();
    std::copy(GetParam().bytes.begin(), GetParam().bytes.end(),
              file.begin() + static_cast<std::ptrdiff_t>(GetParam().at));
    if (GetParam().size > 0)
        file.resize(GetParam().size);
    core::Diagnostics diagnostics;
    std::string error;
    try {
        (void)decodeRlf(file, {}, diagnostics);
    } catch (const core::DecodeError& problem) {
        error = problem.what();
    }
    EXPECT_EQ(error, GetParam().error != nullptr ? GetParam().error : "");
    std::vector<std::string> warnings;
    for (const core::Warning& warning : diagnostics.warnings())
        warnings.push_back(warning.message());
    EXPECT_EQ(warnings, GetParam().warnings);
}

INSTANTIATE_TEST_SUITE_P(
    All, RlfMessages,
    testing::Values(
        Case{"sound", 0, {}, 0, nullptr, {}},
        Case{"bytes_after", 0, {}, 0xFFFF, nullptr, {"note: trailing: 65292 bytes follow the last frame"}},
        Case{"magic", 0, {'R', 'L', 'E', 'F'}, 0, "tag at 0x0: is 'FELR', expected 'RLEF'", {}},
        Case{"cut_in_the_header", 0, {}, 0x9E, "picture.width at 0x9c: needs 4 bytes, but only 2 are left", {}},
        Case{"no_frames", 0x10, {0}, 0xB4, nullptr, {"warning: frame_count: is 0, so there are no frames"}},
        Case{"codecs", 0x14, {'X'}, 0, "codecs.tag at 0x14: is 'CINX', expected 'CINF'", {}},
        Case{"codecs_size", 0x18, {111}, 0, nullptr, {"warning: codecs.size: is 111, expected 112"}},
        Case{"picture", 0x84, {0x01}, 0, "picture.tag at 0x84: is 'MIN?', expected 'MINF'", {}},
        Case{"width", 0x9C, {0}, 0, "picture.width at 0x9c: is 0, expected at least 1", {}},
        Case{"too_wide", 0x9C, {0x40, 0x42, 0x0F}, 0, "picture.width at 0x9c: is 1000000, but the limit is 999998", {}},
        Case{"height", 0xA0, {0}, 0, "picture.height at 0xa0: is 0, expected at least 1", {}},
        Case{"too_large",
             0x9C,
             {0xFF, 0xFF, 0, 0, 0xFF, 0xFF, 0, 0},
             0,
             "picture.width at 0x9c: 65535 x 65535 pixels are more than the limit of 16777216 (see option "
             "limit-samples=N)",
             {}},
        Case{"wrapping",
             0x9C,
             {0, 0, 1, 0, 1, 0, 1, 0},
             0,
             "picture.width at 0x9c: 65536 x 65537 pixels are more than the limit of 16777216 (see option "
             "limit-samples=N)",
             {}},
        Case{"time", 0xA4, {'e'}, 0, "time.tag at 0xa4: is 'TIMe', expected 'TIME'", {}},
        Case{"no_time",
             0xB0,
             {0, 0},
             0,
             nullptr,
             {"warning: time.frame_time: is 0, so 15 frames per second are assumed"}},
        Case{"more_frames_than_there_are",
             0x10,
             {0xFF, 0xFF, 0xFF, 0xFF},
             0,
             nullptr,
             {"warning: frames[2].tag: is missing, because the file ends here; only 2 of 4294967295 frames are read"}},
        Case{"fewer_frames_than_there_are", 0x10, {1}, 0, nullptr, {"note: trailing: 32 bytes follow the last frame"}},
        Case{"first_tag", 0xB4, {'m'}, 0, "frames[0].tag at 0xb4: is 'FRAm', expected 'FRAM'", {}},
        Case{"second_tag",
             0xD3,
             {'m'},
             0,
             nullptr,
             {"warning: frames[1].tag: is 'FRAm', expected 'FRAM'; only 1 of 2 frames are read"}},
        Case{"frame_size",
             0xD7,
             {0xFF},
             0,
             nullptr,
             {"warning: frames[1].size: is 255, but only 32 bytes are left; only 1 of 2 frames are read"}},
        Case{"frame_without_header",
             0xD7,
             {27},
             0,
             nullptr,
             {"warning: frames[1].size: is 27, but the header needs 28 bytes; only 1 of 2 frames are read"}},
        Case{"vertical",
             0xE3,
             {'L', 'R', 'V', 'D'},
             0,
             nullptr,
             {"warning: frames[1].codec: is 'DVRL' (Delta V RLE), for which no decoder is known; only 1 of 2 frames "
              "are read"}},
        Case{"codec",
             0xE3,
             {'X'},
             0,
             nullptr,
             {"warning: frames[1].codec: is 'DHLX', expected 'HRLE' or 'DHLE'; only 1 of 2 frames are read"}},
        Case{"codec_of_the_first", 0xC4, {'X'}, 0, "frames[0].codec at 0xc4: is 'HRLX', expected 'HRLE' or 'DHLE'", {}},
        Case{"data_offset",
             0xE7,
             {33},
             0,
             nullptr,
             {"warning: frames[1].data_offset: is 33, expected 28 to 32; the previous frame is repeated"}},
        Case{"data_cut",
             0xF0,
             {0xFE},
             0,
             nullptr,
             {"warning: frames[1].data: ends inside a run of 2 pixels; 1 of them are drawn"}},
        Case{"file_cut",
             0,
             {},
             0xF0,
             nullptr,
             {"warning: frames[1].size: is 32, but only 29 bytes are left; only 1 of 2 frames are read"}},
        Case{"too_many_pixels",
             0xD0,
             {0x05},
             0,
             nullptr,
             {"warning: frames[0].data: has runs of 7 pixels, but the frame has 6; the rest is left out"}}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace reanima::zvision
