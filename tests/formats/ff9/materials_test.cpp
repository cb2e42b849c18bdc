#include "formats/ff9/materials.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "formats/ff9/materials_json.h"
#include "support/bytes.h"
#include "support/row.h"

namespace reanima::ff9 {
namespace {

using core::ByteVector;
using core::LittleEndianReader;

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

/// A table whose second record has its only material at `offset` from the record.
ByteVector withSecondAt(std::uint8_t offset) {
    ByteVector file = kMaterials;
    file[0x14] = offset;
    file[0x17] = 1;
    return file;
}

TEST(Materials, KeepAnyLayout) {
    ByteVector reversed = withSecondAt(12);  // the second's come first
    reversed[0x08] = 40;
    reversed.insert(reversed.end(), kMaterials.begin() + 0x1C, kMaterials.end());
    reversed[0x1C] = 0x0E;
    ByteVector none = kMaterials;
    none[0x14] = 0;  // without materials, an offset has no meaning
    for (const ByteVector& file : {reversed, none, withSecondAt(12), withSecondAt(4), withSecondAt(0)}) {
        core::Diagnostics diagnostics;
        const Json json = toJson(decodeMaterials(LittleEndianReader(file)), {}, diagnostics);
        EXPECT_EQ(encodeMaterials(materialsFromJson(JsonReader(json))), file);
    }
}

TEST(Materials, ThatShareBytesMustAgree) {
    const auto problem = [](std::uint8_t offset, const auto& edit) {
        return test::messageOfEdited("ff9-material", withSecondAt(offset), edit);
    };
    const std::string expected = ": share bytes with materials of different content, expected separate offsets";
    EXPECT_EQ(problem(12, [](Json& json) { json["models"][0]["materials"][0]["page"] = 1; }),
              "models[0].materials" + expected);
    EXPECT_EQ(problem(0, [](Json& json) { json["models"][1]["materials"][0]["page"] = 9; }), "models" + expected);
}

TEST(Materials, JsonThatDoesNotFitIsNamed) {
    const auto problem = [](const auto& edit) { return test::messageOfEdited("ff9-material", kMaterials, edit); };
    EXPECT_EQ(problem([](Json& json) { json["models"] = std::vector<int>(256); }),
              "models: has 256 models, expected at most 255");
    EXPECT_EQ(
        problem([](Json& json) { json["models"][0]["materials"] = Json(256, json["models"][0]["materials"][0]); }),
        "models[0].materials: has 256 materials, expected at most 255");
}

TEST(MaterialMessages, AreWhole) {
    using test::Broken;
    test::expectMessages(
        "ff9-material", kMaterials,
        {Broken{"Mark", 0, {0xDB}, {}, "mark at 0x0: is 0xdb, expected 0xdc"},
         Broken{"CountAbsurd", 1, {4}, {}, "model_count at 0x1: is 4, but the object has room for only 3"},
         Broken{"OffsetOutside", 0x09, {1}, {}, "models[0].offset at 0x2c: needs 284 bytes, but only 44 are left"},
         Broken{"BlockOutside", 0x0B, {2}, {}, "models[0].materials at 0x1c: needs 32 bytes, but only 16 are left"}});
}

}  // namespace
}  // namespace reanima::ff9
