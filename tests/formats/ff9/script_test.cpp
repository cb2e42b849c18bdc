#include "formats/ff9/script.h"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "support/bytes.h"

namespace reanima::ff9 {
namespace {

using core::ByteVector;

constexpr std::size_t kEntries = 0x80;

void putHalf(ByteVector& bytes, std::size_t value) {
    bytes.push_back(static_cast<std::uint8_t>(value));
    bytes.push_back(static_cast<std::uint8_t>(value >> 8U));
}

/// An entry of one function.
ByteVector entryOf(const ByteVector& code) {
    constexpr std::array<std::uint8_t, 6> kHead = {2, 1, 0, 0, 4, 0};
    ByteVector entry(kHead.size() + code.size());
    std::ranges::copy(code, std::ranges::copy(kHead, entry.begin()).out);
    return entry;
}

/// @param place the place's name in the game's letters, without the mark of its end
ByteVector scriptOf(const std::vector<ByteVector>& entries, const ByteVector& place = {}) {
    constexpr std::size_t kPlace = 0x2C;
    ByteVector file(kEntries, 0xFF);
    std::ranges::fill_n(file.begin(), kPlace, std::uint8_t{0});
    std::ranges::copy(std::array<std::uint8_t, 4>{'E', 'V', 2, static_cast<std::uint8_t>(entries.size())},
                      file.begin());
    std::ranges::copy(place, file.begin() + kPlace);
    std::size_t at = 8 * entries.size();
    for (const ByteVector& entry : entries) {
        putHalf(file, at);
        putHalf(file, entry.size());
        file.resize(file.size() + 4);
        at += entry.size();
    }
    for (const ByteVector& entry : entries)
        file.insert(file.end(), entry.begin(), entry.end());
    return file;
}

Script scriptIn(const ByteVector& file) { return decodeScript(core::LittleEndianReader(file)); }

std::string problemOfScript(const ByteVector& file) {
    try {
        (void)scriptIn(file);
        return "none";
    } catch (const core::DecodeError& error) {
        return error.what();
    }
}

// Model 98 stands (200) and walks (25), and plays 7 in the second function of another entry.
const ByteVector kActor = {0x2F, 0, 98, 0, 93, 0x33, 0, 200, 0, 0x34, 0, 25, 0, 0x43, 0, 1, 0x04};
const ByteVector kRun = {0x40, 0, 7, 0, 0x05, 0x7D, 0x2F, 0x7F, 0x7F, 0x04};

TEST(Script, SaysWhatItsActorsPlay) {
    const Script script = scriptIn(scriptOf({entryOf(kActor), entryOf(kRun), {}}));
    ASSERT_EQ(script.actors.size(), 1U);
    EXPECT_EQ(script.actors[0].models, (std::vector<std::uint16_t>{98}));
    EXPECT_EQ(script.actors[0].animations, (std::vector<std::uint16_t>{200, 25, 7}));
}

TEST(Script, HasExpressionsOfManyLengths) {
    // The bytes after a token may look like the end, 0x7F, or like an instruction.
    const ByteVector expression = {0x05, 0x29, 0x7F, 0x5F, 0x7F, 0x79, 0x7F, 0x7A, 0x7F, 0x78, 0x7F,
                                   0x7F, 0x7D, 0x7F, 0x7F, 0x7E, 0x7F, 0x7F, 0x7F, 0x7F, 0xC0, 0x7F,
                                   0xDF, 0x7F, 0xE0, 0x7F, 0x7F, 0xFF, 0x7F, 0x7F, 0x80, 0x7F};
    ByteVector code = {0x2F, 0, 98, 0, 93};
    code.insert(code.end(), expression.begin(), expression.end());
    code.insert(code.end(), {0x33, 0, 200, 0, 0x04});
    const Script script = scriptIn(scriptOf({entryOf(code)}));
    ASSERT_EQ(script.actors.size(), 1U);
    EXPECT_EQ(script.actors[0].animations, (std::vector<std::uint16_t>{200}));
}

TEST(Script, NamesItsPlace) {
    // Dali/Inn
    const ByteVector letters = {0x13, 0x30, 0x3B, 0x38, 0x4C, 0x18, 0x3D, 0x3D};
    EXPECT_EQ(scriptIn(scriptOf({}, letters)).place, "Dali/Inn");
    EXPECT_EQ(placeOfScript(scriptOf({}, letters)), "Dali/Inn");
    EXPECT_EQ(placeOfScript(scriptOf({}, {0x13, 0x90})), "");
    EXPECT_EQ(placeOfScript(ByteVector(kEntries)), "");
    EXPECT_EQ(placeOfScript(ByteVector{'E', 'V'}), "");
}

TEST(Script, HasTheLettersOfEuropeAndAmerica) {
    const ByteVector letters = {0x00, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x29, 0x2A, 0x2B, 0x2C,
                                0x2D, 0x2E, 0x2F, 0x30, 0x49, 0x4A, 0x4B, 0x4C, 0x4D, 0x4E, 0x4F, 0x7E, 0x50};
    EXPECT_EQ(textOf(letters), "09+-=*% AZ(!?\":.az),/*~&'?");
}

TEST(Script, OfAnyLengthIsReadOrRefused) {
    const ByteVector file = scriptOf({entryOf(kActor), entryOf(kRun)});
    for (std::size_t size = 0; size < file.size(); ++size) {
        ByteVector prefix(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
        prefix.shrink_to_fit();
        EXPECT_NE(problemOfScript(prefix), "none") << size;
    }
    EXPECT_EQ(problemOfScript(file), "none");
}

TEST(Script, WithAnyByteChangedIsReadOrRefused) {
    ByteVector file = scriptOf({entryOf(kActor), entryOf(kRun)});
    for (std::uint8_t& byte : file)
        for (const int value : {0, 1, 0x29, 0x7F, 0xBD, 0xFF}) {
            const std::uint8_t before = byte;
            byte = static_cast<std::uint8_t>(value);
            (void)problemOfScript(file);
            byte = before;
        }
}

TEST(Script, SaysWhatIsDamaged) {
    ByteVector noScript = scriptOf({});
    noScript[0] = 'F';
    EXPECT_EQ(problemOfScript(noScript), "mark at 0x0: is 0x5646, expected 0x5645");
    EXPECT_EQ(problemOfScript(scriptOf({entryOf({0x04, 0xFF, 0x12})})),
              "entries[0].instruction at 0x8f: is 0x112, which is unknown");
    EXPECT_EQ(problemOfScript(scriptOf({entryOf({0x2F, 0, 98})})),
              "entries[0].operand at 0x90: needs 2 bytes, but only 1 is left");
    ByteVector outOfOrder = scriptOf({entryOf({0x04})});
    outOfOrder[0x8C] = 3;
    EXPECT_EQ(problemOfScript(outOfOrder), "entries[0].functions[0].position at 0x8c: is 3, expected 4 to 5");
    ByteVector all;
    for (int i = 0; i < 200; ++i)
        all.insert(all.end(), {0x2F, 0, static_cast<std::uint8_t>(i), 0, 0, 0x33, 0, static_cast<std::uint8_t>(i), 1});
    EXPECT_EQ(problemOfScript(scriptOf({entryOf(all)})),
              "entries: contain more than 16384 pairs of a model and an animation");
}

TEST(Script, HasEntriesThatShareLittle) {
    ByteVector file = scriptOf(std::vector<ByteVector>(60, entryOf(ByteVector(94, 0x04))));
    file.resize(kEntries + 480 + 100);
    for (std::size_t i = 0; i < 60; ++i) {
        file[kEntries + 8 * i] = 480 & 255;
        file[kEntries + 8 * i + 1] = 480 >> 8;
    }
    EXPECT_EQ(
        problemOfScript(file),
        "entries[28].size at 0x162: entries overlap, and together they are more than 4 times as large as the script");
}

}  // namespace
}  // namespace reanima::ff9
