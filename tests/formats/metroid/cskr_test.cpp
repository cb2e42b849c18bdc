#include "formats/metroid/model/cskr.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "formats/metroid/model/cskr_json.h"
#include "support/broken.h"
#include "support/bytes.h"

namespace reanima::metroid {
namespace {

using core::ByteVector;

// Two groups: two positions follow bones 3 and 4 by halves, one follows bone 4. The lists only have counts.
const ByteVector kSkinFile = {0,    0,    0,    2,                       // groups
                              0,    0,    0,    2,                       // weights
                              0,    0,    0,    3,    0x3F, 0,    0, 0,  // bone 3, 0.5
                              0,    0,    0,    4,    0x3F, 0,    0, 0,  // bone 4, 0.5
                              0,    0,    0,    2,                       // vertices
                              0,    0,    0,    1,                       // weights
                              0,    0,    0,    4,    0x3F, 0x80, 0, 0,  // bone 4, 1
                              0,    0,    0,    1,                       // vertices
                              0xFF, 0xFF, 0xFF, 0xFF, 0,    0,    0, 3,  // positions
                              0xFF, 0xFF, 0xFF, 0xFF, 0,    0,    0, 3,  // normals
                              0xFF, 0xFF, 0xFF, 0xFF};                   // up to 64 bytes

TEST(Cskr, IsReadWordForWord) {
    core::Diagnostics diagnostics;
    const Cskr skin = decodeCskr(kSkinFile, diagnostics);
    EXPECT_TRUE(diagnostics.warnings().empty());
    ASSERT_EQ(skin.groups.size(), 2U);
    EXPECT_EQ(skin.groups[0].weights[1].bone, 4U);
    EXPECT_EQ(skin.groups[0].weights[1].weight, 0.5F);
    EXPECT_EQ(skin.groups[1].vertices, 1U);
    EXPECT_EQ(verticesOf(skin), 3U);
    EXPECT_EQ(skin.padding.size(), 4U);
    EXPECT_FALSE(skin.positions.values);
    EXPECT_EQ(encodeCskr(skin), kSkinFile);
    EXPECT_TRUE(isCskr(kSkinFile));
    EXPECT_FALSE(isCskr(ByteVector(32)));
}

TEST(Cskr, SaysWhatIsWrong) {
    test::expectMessages(
        kSkinFile, decodeCskr, encodeCskr,
        {{"corruption",
          0,
          {'S', 'K', 'I', 'N'},
          {},
          "group_count at 0x0: is 'SKIN', a skin of Metroid Prime 3: Corruption, which is not supported"},
         {"groups", 0, {1}, {}, "group_count at 0x0: is 16777218, but the file has room for only 3"},
         {"no weight", 7, {0}, {}, "groups[0].weight_count at 0x4: is 0, expected at least one weight"},
         {"weights", 4, {1}, {}, "groups[0].weight_count at 0x4: is 16777218, but the file has room for only 7"},
         {"negative", 12, {0xBF}, {}, "groups[0].weights[0].weight at 0xc: is -0.5, expected 0 or more"},
         {"not finite",
          12,
          {0x7F, 0xC0},
          {},
          "groups[0].weights[0].weight at 0xc: is nan, expected a number of at most 1e18"},
         {"sum",
          12,
          {0x3F, 0x80},
          {},
          "warning: groups: 1 of 2 have weights whose sum is not 1; the weights are normalized"},
         {"vertices", 27, {3}, {}, "positions.count at 0x2c: is 3, but the groups cover 4"},
         {"count below 0", 48, {0xFF}, {}, "positions.count at 0x30: is -16777213, expected 0 or more"},
         {"stored", 44, {0, 0, 0, 3}, {}, "positions.count at 0x2c: is 3, but the file has room for only 1"},
         {"rest", 63, {1}, {}, "warning: padding: 4 bytes follow the content"}});
}

TEST(Cskr, SaysThatTheGameTakesThreeWeights) {
    core::Diagnostics diagnostics;
    Cskr skin = decodeCskr(kSkinFile, diagnostics);
    skin.groups[0].weights = {{3, 0.25F}, {4, 0.25F}, {5, 0.25F}, {6, 0.25F}};
    EXPECT_EQ(test::messageOf([&](core::Diagnostics& said) { (void)decodeCskr(encodeCskr(skin), said); }),
              "warning: groups: 1 of 2 have more than 3 weights; the first 3 are used, as in the gamewarning: padding: "
              "4 bytes follow the content");
}

TEST(CskrJson, GivesTheFileBackAndSaysWhatIsWrong) {
    core::Diagnostics none;
    Json json = toJson(decodeCskr(kSkinFile, none), {}, none);
    const auto encode = [&] {
        return test::messageOf(
            [&](core::Diagnostics& diagnostics) { (void)encodeCskr(cskrFromJson(JsonReader(json), diagnostics)); });
    };
    EXPECT_EQ(encodeCskr(cskrFromJson(JsonReader(json), none)), kSkinFile);
    EXPECT_EQ(encode(), "");
    Json edited = json;
    json["groups"][1]["weights"].push_back({3, 0.0});
    EXPECT_EQ(encode(),
              "warning: padding: has 4 bytes, but the file's size must be a multiple of 32; 28 are writtennote: "
              "content_size: is 60; 68 is "
              "written instead, calculated from the other values");
    json = edited;
    json["groups"][0]["vertices"] = 4;
    EXPECT_EQ(encode(), "positions.count: is 3, expected 5, as many as the groups cover");
    json = edited;
    json["groups"][0]["weights"] = Json::array();
    EXPECT_EQ(encode(), "groups[0].weights: is a list, expected at least one weight");
    json = edited;
    json["groups"][0]["weights"][1][1] = -1;
    EXPECT_EQ(encode(), "groups[0].weights[1][1]: is -1, expected 0 or more");
    json = edited;
    json["normals"] = {{"count", 1}, {"values", {{1, 2, 3}}}};
    json["padding"] = "";
    json.erase("content_size");
    const ByteVector file = encodeCskr(cskrFromJson(JsonReader(json), none));
    EXPECT_EQ(file.size(), 60U - 8 + 16);
    EXPECT_EQ(decodeCskr(file, none).normals.values->front(), (std::array<float, 3>{1, 2, 3}));
}

}  // namespace
}  // namespace reanima::metroid
