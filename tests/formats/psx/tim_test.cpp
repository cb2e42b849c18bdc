#include "formats/psx/tim.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "formats/psx/shown_texels.h"
#include "formats/psx/texture_memory.h"
#include "formats/psx/tim_json.h"
#include "formats/psx/tim_picture.h"
#include "support/bytes.h"
#include "support/row.h"

namespace reanima::psx {
namespace {

using core::ByteVector;
using core::LittleEndianReader;

// Four bits per texel, two colours, 8 x 2 texels. The CLUT's count includes two bytes that are not stored.
const ByteVector kTim = {0x10, 0, 0, 0, 0x08, 0,    0,    0,     // 00 mark, 4 bits with a CLUT
                         18,   0, 0, 0, 16,   0,    240,  0,     // 08 CLUT: bytes (16, rounded down), x, y
                         2,    0, 1, 0, 0x34, 0x12, 0xFF, 0x7F,  // 10 width, height, words
                         20,   0, 0, 0, 0x80, 2,    0,    1,     // 18 image: bytes, x 640, y 256
                         2,    0, 2, 0,                          // 20 width, height
                         1,    0, 2, 0, 3,    0,    4,    0};    // 24 words

Tim decoded(const ByteVector& file) {
    core::Diagnostics doubts;
    return decodeTim(LittleEndianReader(file), doubts);
}

TEST(Tim, IsReadWordForWord) {
    const Tim tim = decoded(kTim);
    EXPECT_EQ(tim.mode, 0);
    ASSERT_TRUE(tim.clut);
    EXPECT_EQ(tim.clut->byteCount, 18U);
    EXPECT_EQ(tim.clut->x, 16);
    EXPECT_EQ(tim.clut->y, 240);
    EXPECT_EQ(tim.clut->words, (std::vector<std::uint16_t>{0x1234, 0x7FFF}));
    EXPECT_TRUE(tim.clutRest.empty());
    EXPECT_EQ(tim.image.x, 640);
    EXPECT_EQ(tim.image.y, 256);
    EXPECT_EQ(tim.image.words, (std::vector<std::uint16_t>{1, 2, 3, 4}));
    EXPECT_EQ(pixelWidthOf(tim), 8U);
    EXPECT_TRUE(isTim(kTim));
    EXPECT_EQ(encodeTim(tim), kTim);
}

TEST(Tim, KeepsWhatFollowsColoursAndImage) {
    ByteVector file = kTim;
    file[0x08] = 22;  // rounded down: 20
    file.insert(file.begin() + 0x18, {1, 2, 3, 4});
    file.insert(file.end(), {5, 6});
    const Tim tim = decoded(file);
    EXPECT_EQ(tim.clutRest, (ByteVector{1, 2, 3, 4}));
    EXPECT_EQ(tim.rest, (ByteVector{5, 6}));
    EXPECT_FALSE(isTim(file)) << "bytes follow that mean something";
    core::Diagnostics diagnostics;
    const Json json = toJson(tim, {}, diagnostics);
    EXPECT_EQ(json["clut"]["rest"], "01020304");
    EXPECT_EQ(json["rest"], "0506");
    EXPECT_EQ(encodeTim(timFromJson(JsonReader(json), diagnostics)), file);
}

TEST(Tim, TheImageMayBeginInsideTheLastColour) {
    ByteVector file = kTim;
    file[0x10] = 3;  // three colours end at 0x1a, the image begins at 0x18
    const Tim tim = decoded(file);
    EXPECT_EQ(tim.clut->words.back(), 20);
    EXPECT_EQ(tim.image.words.back(), 4);
    EXPECT_EQ(encodeTim(tim), file);
}

TEST(Tim, TheImageMayFollowAnOddColour) {
    ByteVector file = kTim;
    file[0x10] = 3;  // three colours end at 0x1a; at 0x18 there is no room for an image
    file.insert(file.begin() + 0x18, {0xEE, 0xEE});
    const Tim tim = decoded(file);
    EXPECT_EQ(tim.clut->words.back(), 0xEEEE);
    EXPECT_EQ(tim.image.words, (std::vector<std::uint16_t>{1, 2, 3, 4}));
    EXPECT_EQ(encodeTim(tim), file);
    core::Diagnostics diagnostics;
    const Json json = toJson(tim, {}, diagnostics);
    EXPECT_EQ(json["clut"]["image_follows_words"], true);
    EXPECT_EQ(encodeTim(timFromJson(JsonReader(json), diagnostics)), file);
}

TEST(Tim, WrongLengthsComeBackAsTheyWere) {
    for (const auto& [offset, value] : {std::pair{0x18, 3}, {0x19, 1}, {0x08, 3}, {0x09, 1}, {0x0B, 0xFF}}) {
        ByteVector file = kTim;
        file[static_cast<std::size_t>(offset)] = static_cast<std::uint8_t>(value);
        core::Diagnostics diagnostics;
        const Tim tim = decodeTim(LittleEndianReader(file), diagnostics);
        EXPECT_EQ(diagnostics.warnings().size(), 1U) << offset;
        EXPECT_EQ(tim.clut->words, (std::vector<std::uint16_t>{0x1234, 0x7FFF})) << offset;
        EXPECT_EQ(tim.image.words, (std::vector<std::uint16_t>{1, 2, 3, 4})) << offset;
        EXPECT_FALSE(isTim(file)) << offset;
        EXPECT_TRUE(beginsLikeTim(file)) << offset;
        core::Diagnostics unused;
        EXPECT_EQ(encodeTim(timFromJson(JsonReader(toJson(tim, {}, diagnostics)), unused)), file) << offset;
    }
}

using Texels = std::vector<std::uint8_t>;

TEST(TimPicture, ShowsThePaletteThatIsWanted) {
    // 0x1234: red 20, green 17, blue 4 of 31, as c << 3 | c >> 2. Index 2 and above: the palette has two colours.
    const Tim tim = decoded(kTim);
    const core::Image image = imageOf(tim, 0);
    EXPECT_EQ(image.width, 8U);
    EXPECT_EQ(image.height, 2U);
    EXPECT_EQ(palettesOf(tim), 1U);
    ASSERT_EQ(image.rgba.size(), 8U * 2 * 4);
    EXPECT_EQ(Texels(image.rgba.begin(), image.rgba.begin() + 8), (Texels{255, 255, 255, 255, 165, 140, 33, 255}));
    EXPECT_EQ(Texels(image.rgba.begin() + 16, image.rgba.begin() + 20), (Texels{0, 0, 0, 0}));  // the second word: 2

    Tim wide = tim;  // two palettes in each of two rows
    wide.clut = TimBlock{0, 0, 0, 32, 2, std::vector<std::uint16_t>(64)};
    wide.clut->words[32 + 16] = 0x001F;
    wide.image = {0, 0, 0, 1, 1, {0x0010}};
    EXPECT_EQ(palettesOf(wide), 4U);
    EXPECT_EQ(imageOf(wide, 3).rgba, (Texels{255, 0, 0, 255, 0, 0, 0, 0, 255, 0, 0, 255, 255, 0, 0, 255}));
    EXPECT_EQ(imageOf(wide, 2).rgba, Texels(16));
}

TEST(TimPicture, ShowsColoursAndShades) {
    Tim tim;
    tim.mode = 2;
    tim.image = {0, 0, 0, 3, 1, {0x0000, 0x8000, 0x7C00}};  // transparent, black, blue
    EXPECT_EQ(imageOf(tim, 0).rgba, (Texels{0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 255, 255}));
    tim.mode = 3;  // six bytes, two texels
    tim.image.words = {0x0201, 0x0403, 0x0605};
    EXPECT_EQ(imageOf(tim, 0).rgba, (Texels{1, 2, 3, 255, 4, 5, 6, 255}));
    tim.mode = 1;
    tim.image = {0, 0, 0, 1, 1, {0x80FF}};
    EXPECT_EQ(imageOf(tim, 0).rgba, (Texels{255, 255, 255, 255, 128, 128, 128, 255}));
    tim.mode = 0;
    tim.image.words = {0xF0};
    EXPECT_EQ(imageOf(tim, 0).rgba, (Texels{0, 0, 0, 255, 255, 255, 255, 255, 0, 0, 0, 255, 0, 0, 0, 255}));
}

TEST(Tim, WidthsGoByTheMode) {
    Tim tim;
    tim.image.width = 12;
    const std::uint32_t widths[] = {48, 24, 12, 8};
    for (tim.mode = 0; tim.mode <= kHighestTimMode; ++tim.mode)
        EXPECT_EQ(pixelWidthOf(tim), widths[tim.mode]);
}

TEST(Tim, JsonThatDoesNotFitIsNamed) {
    const auto problem = [](const auto& edit) { return test::messageOfEdited("psx-tim", kTim, edit); };
    EXPECT_EQ(problem([](Json&) {}), "");
    EXPECT_EQ(problem([](Json& json) { json["clut"]["bytes"] = 20; }),
              "clut.bytes: is 20, expected at most 16, the size of the words and the bytes after them");
    EXPECT_EQ(problem([](Json& json) {
                  json["clut"]["bytes"] = 15;
                  json["clut"]["rest"] = "0102";
              }),
              "clut.bytes: is 15, expected at least 16, because bytes follow the words");
    EXPECT_EQ(problem([](Json& json) { json["image"]["width"] = 3; }), "image.words: has 4 elements, expected 6");
    EXPECT_EQ(problem([](Json& json) { json["rest"] = "abc"; }),
              "rest: is \"abc\", expected bytes as an even number of hexadecimal digits");
    EXPECT_EQ(problem([](Json& json) { json["pixel_width"] = 3; }),
              "note: pixel_width: is 3; 8 is written instead, calculated from the other values");
}

TEST(TimMessages, AreWhole) {
    using test::Broken;
    test::expectMessages(
        "psx-tim", kTim,
        {Broken{"TimMark", 0, {0x11}, {}, "mark at 0x0: is 0x11, expected 0x10"},
         Broken{"TimMode", 4, {4}, {}, "mode at 0x4: is 0x4, expected 0 to 3, plus 8 with a CLUT"},
         Broken{"TimFlags", 5, {1}, {}, "mode at 0x4: is 0x108, expected 0 to 3, plus 8 with a CLUT"},
         Broken{"TimWordsMissing", 0x22, {3}, {}, "image.words at 0x24: needs 12 bytes, but only 8 are left"},
         Broken{"TimSizeLies",
                0x18,
                {19},
                {},
                "warning: image.bytes: is 19, but 2 x 2 words need 20 bytes, which are read"},
         Broken{"TimSizeBeyond",
                0x19,
                {1},
                {},
                "warning: image.bytes: is 276, but 2 x 2 words need 20 bytes, which are read"},
         Broken{"TimClutSizeLies",
                0x08,
                {15},
                {},
                "warning: clut.bytes: is 15, but 2 x 1 words need 16 bytes, which are read"},
         Broken{"TimCut", 0, {}, 0x2B, "image.words at 0x24: needs 8 bytes, but only 7 are left"},
         Broken{"TimClutBeyond",
                0x09,
                {1},
                {},
                "warning: clut.bytes: is 274, but 2 x 1 words need 16 bytes, which are read"},
         Broken{"TimClutOutside", 0x09, {1}, 0x2B, "clut at 0x8: needs 272 bytes, but only 35 are left"}});
}

TEST(ShownTexels, AreThoseWhoseCentresAreInside) {
    ShownTexels shown;
    shown.add({{{0, 0}, {0, 2}, {4, 0}}});
    // Centres at y = 0.5 below x = 3, at y = 1.5 below x = 1.
    for (std::size_t y = 0; y < 3; ++y)
        for (std::size_t x = 0; x < 5; ++x)
            EXPECT_EQ(shown.has(x, y), (y == 0 && x < 3) || (y == 1 && x < 1)) << x << ", " << y;
    ShownTexels flat;
    flat.add({{{3, 7}, {200, 7}, {90, 7}}});
    for (std::size_t x = 0; x < 256; ++x)
        EXPECT_FALSE(flat.has(x, 7));
}

TEST(TextureMemory, GoesAroundItsEdges) {
    Tim tim;
    tim.mode = 2;
    tim.image = {0, 1023, 511, 2, 2, {1, 2, 3, 4}};
    TextureMemory memory;
    memory.load(tim, 5);
    EXPECT_EQ(memory.at(1023, 511).value, 1);
    EXPECT_EQ(memory.at(0, 511).value, 2);
    EXPECT_EQ(memory.at(1023, 0).value, 3);
    EXPECT_EQ(memory.at(1024, 512).value, 4);
    EXPECT_EQ(memory.at(0, 0).owner, 5);
    EXPECT_EQ(memory.at(1, 1).owner, 0);
}

}  // namespace
}  // namespace reanima::psx
