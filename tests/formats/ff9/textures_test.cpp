#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "formats/ff9/materials.h"
#include "formats/ff9/texture_json.h"
#include "formats/ff9/tim.h"
#include "support/broken.h"
#include "support/bytes.h"

namespace reanima::ff9 {
namespace {

using core::ByteVector;
using core::LittleEndianReader;

// Four bits a texel, two colours, 8 x 2 texels. The CLUT's count has two bytes more, of which none are stored.
const ByteVector kTim = {0x10, 0, 0, 0, 0x08, 0,    0,    0,     // 00 mark, 4 bits with a CLUT
                         18,   0, 0, 0, 16,   0,    240,  0,     // 08 CLUT: bytes (16, rounded down), x, y
                         2,    0, 1, 0, 0x34, 0x12, 0xFF, 0x7F,  // 10 width, height, words
                         20,   0, 0, 0, 0x80, 2,    0,    1,     // 18 image: bytes, x 640, y 256
                         2,    0, 2, 0,                          // 20 width, height
                         1,    0, 2, 0, 3,    0,    4,    0};    // 24 words

TEST(Tim, IsReadWordForWord) {
    const Tim tim = decodeTim(LittleEndianReader(kTim));
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
    const Tim tim = decodeTim(LittleEndianReader(file));
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
    const Tim tim = decodeTim(LittleEndianReader(file));
    EXPECT_EQ(tim.clut->words.back(), 20);
    EXPECT_EQ(tim.image.words.back(), 4);
    EXPECT_EQ(encodeTim(tim), file);
}

TEST(Tim, WidthsGoByTheMode) {
    Tim tim;
    tim.image.width = 12;
    const std::uint32_t widths[] = {48, 24, 12, 8};
    for (tim.mode = 0; tim.mode <= kHighestTimMode; ++tim.mode)
        EXPECT_EQ(pixelWidthOf(tim), widths[tim.mode]);
}

TEST(Tim, JsonThatDoesNotFitIsNamed) {
    const auto problem = [](const auto& edit) {
        return test::messageOf([&](core::Diagnostics& diagnostics) {
            Json json = toJson(decodeTim(LittleEndianReader(kTim)), {}, diagnostics);
            edit(json);
            (void)timFromJson(JsonReader(json), diagnostics);
        });
    };
    EXPECT_EQ(problem([](Json&) {}), "");
    EXPECT_EQ(problem([](Json& json) { json["clut"]["bytes"] = 20; }),
              "clut.bytes: is 20, expected at most 16, the words and what follows them");
    EXPECT_EQ(problem([](Json& json) { json["image"]["width"] = 3; }), "image.words: has 4 elements, expected 6");
    EXPECT_EQ(problem([](Json& json) { json["rest"] = "abc"; }),
              "rest: is \"abc\", expected bytes as an even number of hexadecimal digits");
    EXPECT_EQ(problem([](Json& json) { json["pixel_width"] = 3; }),
              "note: pixel_width: is 3, 8 follows from the rest and is written");
}

// Two models: one material, then none.
const ByteVector kMaterials = {
    0xDC, 2,    0,    0,                              // 00 mark, models
    0x02, 0x01, 0xE7, 0x1D, 24,   0,    0,    1,      // 04 258, animation 7655, offset, one material
    4,    0,    9,    8,                              // 0c blink, junk
    1,    0,    0xFF, 0xFF, 12,   0,    0,    0,      // 10 model 1, no animation, no materials
    0xFF, 0xFF, 0,    0,                              // 18
    0x8E, 0,    0x80, 0x3C, 0xC0, 0xFF, 0x80, 0,      // 1c page, CLUT, window (-64, 128)
    0xC0, 2,    0,    0,    0,    0,    0xFC, 0xFF};  // 24 place

TEST(Materials, AreReadWordForWord) {
    const Materials materials = decodeMaterials(LittleEndianReader(kMaterials));
    ASSERT_EQ(materials.records.size(), 2U);
    const MaterialRecord& record = materials.records.front();
    EXPECT_EQ(record.model, 258);
    EXPECT_EQ(record.defaultAnimation(), std::optional<std::uint16_t>(7655));
    EXPECT_EQ(record.offset, 24U);
    EXPECT_EQ(record.blink, 4);
    EXPECT_EQ(record.junk, (std::array<std::uint8_t, 2>{9, 8}));
    ASSERT_EQ(record.materials.size(), 1U);
    EXPECT_EQ(record.materials[0].page, 0x8E);
    EXPECT_EQ(record.materials[0].clut, 0x3C80);
    EXPECT_EQ(record.materials[0].window, (std::array<std::int16_t, 2>{-64, 128}));
    EXPECT_EQ(record.materials[0].place, (std::array<std::int16_t, 4>{704, 0, 0, -4}));
    EXPECT_EQ(materials.records[1].defaultAnimation(), std::nullopt);
    EXPECT_TRUE(materials.unused.empty());
    EXPECT_TRUE(isMaterials(kMaterials));
    EXPECT_EQ(encodeMaterials(materials), kMaterials);
}

TEST(Materials, SurviveJsonWithBytesThatNothingCovers) {
    ByteVector file = kMaterials;
    file.insert(file.begin() + 0x1C, {1, 2});
    file[0x08] = 26;
    file.push_back(7);
    core::Diagnostics diagnostics;
    const Json json = toJson(decodeMaterials(LittleEndianReader(file)), {}, diagnostics);
    EXPECT_EQ(json["unused"], (Json{{{"offset", 0x1C}, {"bytes", "0102"}}, {{"offset", 0x2E}, {"bytes", "07"}}}));
    EXPECT_EQ(encodeMaterials(materialsFromJson(JsonReader(json))), file);
    EXPECT_FALSE(isMaterials(file));
}

TEST(Materials, WithoutOffsetsFollowTheTable) {
    core::Diagnostics diagnostics;
    Json json = toJson(decodeMaterials(LittleEndianReader(kMaterials)), {}, diagnostics);
    json["models"][0].erase("offset");
    json["models"][1].erase("offset");
    ByteVector expected = kMaterials;
    expected[0x14] = 28;  // no materials after those of the first
    EXPECT_EQ(encodeMaterials(materialsFromJson(JsonReader(json))), expected);
}

TEST(Materials, JsonThatDoesNotFitIsNamed) {
    const auto problem = [](const auto& edit) {
        return test::messageOf([&](core::Diagnostics& diagnostics) {
            Json json = toJson(decodeMaterials(LittleEndianReader(kMaterials)), {}, diagnostics);
            edit(json);
            (void)materialsFromJson(JsonReader(json));
        });
    };
    EXPECT_EQ(problem([](Json& json) { json["models"] = std::vector<int>(256); }),
              "models: has 256 models, expected at most 255");
    EXPECT_EQ(
        problem([](Json& json) { json["models"][0]["materials"] = Json(256, json["models"][0]["materials"][0]); }),
        "models[0].materials: has 256 materials, expected at most 255");
}

using test::Broken;
class TextureMessages : public testing::TestWithParam<Broken> {};

TEST_P(TextureMessages, AreWhole) {
    const bool isTim = GetParam().name[0] == 'T';
    const ByteVector file = test::brokenFile(isTim ? kTim : kMaterials, GetParam());
    EXPECT_EQ(test::messageOf([&](core::Diagnostics&) {
                  const LittleEndianReader reader(file);
                  isTim ? (void)decodeTim(reader) : (void)decodeMaterials(reader);
              }),
              GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, TextureMessages,
    testing::Values(Broken{"TimMark", 0, {0x11}, {}, "mark at 0x0: is 0x11, expected 0x10"},
                    Broken{"TimMode", 4, {4}, {}, "mode at 0x4: is 0x4, expected 0 to 3, and 8 more with a CLUT"},
                    Broken{"TimFlags", 5, {1}, {}, "mode at 0x4: is 0x108, expected 0 to 3, and 8 more with a CLUT"},
                    Broken{"TimSizeLies", 0x22, {3}, {}, "image.bytes at 0x18: is 20, 2 x 3 words take 24"},
                    Broken{"TimCut", 0, {}, 0x2B, "image.words at 0x24: needs 8 bytes, 7 are left"},
                    Broken{"TimClutOutside", 0x09, {1}, {}, "clut at 0x8: needs 272 bytes, 36 are left"},
                    Broken{"Mark", 0, {0xDB}, {}, "mark at 0x0: is 0xdb, expected 0xdc"},
                    Broken{"CountAbsurd", 1, {4}, {}, "model_count at 0x1: is 4, the object has room for 3"},
                    Broken{"OffsetOutside", 0x09, {1}, {}, "models[0].offset at 0x2c: needs 284 bytes, 44 are left"},
                    Broken{"BlockOutside", 0x0B, {2}, {}, "models[0].materials at 0x1c: needs 32 bytes, 16 are left"}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace reanima::ff9
