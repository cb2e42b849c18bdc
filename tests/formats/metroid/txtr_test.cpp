#include "formats/metroid/model/txtr.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "formats/metroid/model/texels.h"
#include "formats/metroid/model/txtr_json.h"
#include "support/broken.h"
#include "support/bytes.h"

namespace reanima::metroid {
namespace {

using core::ByteVector;

constexpr std::size_t kTxtrHeader = 12;

/// A texture of that type, with a picture that begins with `start` and continues with zeros.
ByteVector txtrFile(std::uint8_t type, std::uint8_t width, std::uint8_t height, const ByteVector& start,
                    std::size_t size) {
    ByteVector file = {0, 0, 0, type, 0, width, 0, height, 0, 0, 0, 1};
    file.resize(kTxtrHeader + size);
    std::ranges::copy(start, file.begin() + kTxtrHeader);
    return file;
}

/// Two colours of RGB5A3 before an empty block of C4.
ByteVector withPalette() { return txtrFile(4, 8, 8, {0, 0, 0, 2, 0, 2, 0, 1, 0xFC, 0x00, 0x2A, 0xBC, 0x10}, 12 + 32); }

using Texel = std::array<int, 4>;

/// The first texels of a picture, in the order of the file.
std::vector<Texel> texelsOf(const ByteVector& file, std::size_t count) {
    core::Diagnostics diagnostics;
    const core::Image image = imageOf(decodeTxtr(file, {}, diagnostics), Rows::topDown, {}, diagnostics);
    std::vector<Texel> texels;
    for (std::size_t i = 0; i < count; ++i)
        texels.push_back({image.rgba[4 * i], image.rgba[4 * i + 1], image.rgba[4 * i + 2], image.rgba[4 * i + 3]});
    return texels;
}

TEST(Txtr, ReadsEveryTexelFormatAsTheConsoleDoes) {
    EXPECT_EQ(texelsOf(txtrFile(0, 8, 8, {0x1F}, 32), 2), (std::vector<Texel>{{17, 17, 17, 17}, {255, 255, 255, 255}}));
    EXPECT_EQ(texelsOf(txtrFile(1, 8, 4, {77}, 32), 1), (std::vector<Texel>{{77, 77, 77, 77}}));
    EXPECT_EQ(texelsOf(txtrFile(2, 8, 4, {0x31}, 32), 1), (std::vector<Texel>{{17, 17, 17, 51}}));
    EXPECT_EQ(texelsOf(txtrFile(3, 4, 4, {9, 200}, 32), 1), (std::vector<Texel>{{200, 200, 200, 9}}));
    EXPECT_EQ(texelsOf(txtrFile(7, 4, 4, {0x84, 0x10}, 32), 1), (std::vector<Texel>{{132, 130, 132, 255}}));
    EXPECT_EQ(texelsOf(txtrFile(8, 4, 4, {0xC2, 0x10, 0x51, 0x23}, 32), 2),
              (std::vector<Texel>{{132, 132, 132, 255}, {17, 34, 51, 182}}));
    ByteVector rgba = txtrFile(9, 4, 4, {1, 2}, 64);
    rgba[kTxtrHeader + 32] = 3;
    rgba[kTxtrHeader + 33] = 4;
    EXPECT_EQ(texelsOf(rgba, 1), (std::vector<Texel>{{2, 3, 4, 1}}));
    EXPECT_EQ(texelsOf(withPalette(), 2), (std::vector<Texel>{{170, 187, 204, 73}, {255, 0, 0, 255}}));
}

TEST(Txtr, MixesTheColoursOfCmprByEighths) {
    // Red and black: (5 * 255 + 0) >> 3 = 159, (3 * 255) >> 3 = 95.
    EXPECT_EQ(texelsOf(txtrFile(10, 8, 8, {0xF8, 0, 0, 0, 0x1B}, 32), 4),
              (std::vector<Texel>{{255, 0, 0, 255}, {0, 0, 0, 255}, {159, 0, 0, 255}, {95, 0, 0, 255}}));
    EXPECT_EQ(texelsOf(txtrFile(10, 8, 8, {0, 0, 0xF8, 0, 0x1B}, 32), 4),
              (std::vector<Texel>{{0, 0, 0, 255}, {255, 0, 0, 255}, {127, 0, 0, 255}, {127, 0, 0, 0}}));
    // The second cell is to the right, the third below.
    ByteVector file = txtrFile(10, 8, 8, {}, 32);
    file[kTxtrHeader + 8] = 0xF8;
    file[kTxtrHeader + 16] = 0x07;
    const std::vector<Texel> texels = texelsOf(file, 64);
    EXPECT_EQ(texels[4], (Texel{255, 0, 0, 255}));
    EXPECT_EQ(texels[32], (Texel{0, 227, 0, 255}));
}

TEST(Txtr, CutsBlocksAtTheSidesAndTurnsRows) {
    core::Diagnostics diagnostics;
    ByteVector file = txtrFile(1, 9, 5, {}, 128);  // two by two blocks of 8 x 4
    file[kTxtrHeader + 32] = 1;                    // first texel of the right block: 8, 0
    file[kTxtrHeader + 64] = 2;                    // of the lower one: 0, 4
    file[kTxtrHeader + 96] = 3;                    // 8, 4
    const Txtr txtr = decodeTxtr(file, {}, diagnostics);
    const auto redOf = [&](Rows rows, std::size_t texel) {
        return int{imageOf(txtr, rows, {}, diagnostics).rgba[4 * texel]};
    };
    EXPECT_EQ(redOf(Rows::topDown, 8), 1);
    EXPECT_EQ(redOf(Rows::topDown, 36), 2);
    EXPECT_EQ(redOf(Rows::topDown, 44), 3);
    EXPECT_EQ(redOf(Rows::bottomUp, 0), 2);
    EXPECT_EQ(redOf(Rows::bottomUp, 8), 3);
    EXPECT_EQ(redOf(Rows::bottomUp, 44), 1);
    // Half a cell of an 8 x 8 block.
    EXPECT_EQ(texelsOf(txtrFile(10, 3, 2, {0xF8, 0, 0, 0, 0x1B, 0x54}, 32), 6),
              (std::vector<Texel>{
                  {255, 0, 0, 255}, {0, 0, 0, 255}, {159, 0, 0, 255}, {0, 0, 0, 255}, {0, 0, 0, 255}, {0, 0, 0, 255}}));
}

TEST(Txtr, IsRecognisedByWholeLevels) {
    ByteVector file = txtrFile(0, 16, 8, {}, 64);
    EXPECT_TRUE(isTxtr(file));
    file[11] = 3;  // three levels, of which one, two, or all are present
    EXPECT_TRUE(isTxtr(file));
    file.resize(file.size() + 32);
    EXPECT_TRUE(isTxtr(file));
    file.resize(file.size() + 32);
    EXPECT_TRUE(isTxtr(file));
    file.resize(file.size() + 32);
    EXPECT_FALSE(isTxtr(file));
    EXPECT_FALSE(isTxtr({}));
}

TEST(Txtr, SaysWhatIsWrong) {
    const auto decode = [](const ByteVector& file, core::Diagnostics& diagnostics) {
        Txtr txtr = decodeTxtr(file, {}, diagnostics);
        (void)imageOf(txtr, Rows::topDown, {}, diagnostics);
        return txtr;
    };
    test::expectMessages(
        txtrFile(0, 8, 8, {}, 32), decode, encodeTxtr,
        {{"later",
          0,
          {'R', 'F', 'R', 'M'},
          {},
          "type at 0x0: is 'RFRM', a texture of Metroid Prime Remastered or a later game, which is not supported"},
         {"type", 3, {11}, {}, "type at 0x0: is 11, expected 0 to 10"},
         {"width", 5, {0}, {}, "width at 0x4: is 0"},
         {"height", 7, {0}, {}, "height at 0x6: is 0"},
         {"huge",
          4,
          {0xFF, 0xFF, 0xFF, 0xFF},
          {},
          "width at 0x4: 65535 x 65535 texels are more than the limit of 16777216"},
         {"cut header", 0, {}, 11, "mipmaps at 0x8: needs 4 bytes, but only 3 are left"},
         {"cut picture", 5, {24}, 44 + 31, "data at 0xc: has 63 bytes, but the image needs 96"},
         {"short picture",
          5,
          {16},
          44 + 12,
          "warning: data: 20 of 64 bytes of the image are missing; they are read as zeros"},
         {"rest", 0, {}, 45, ""},
         {"wide",
          4,
          {4, 8},
          12 + 129 * 32,
          "warning: width: 1032 x 8 texels are more than in any texture of the games, expected up to 1024"}});
    ByteVector more = txtrFile(0, 8, 8, {}, 32);
    more.push_back(7);
    test::expectMessages(more, decode, encodeTxtr, {{"rest", 0, {}, {}, "warning: data: 1 bytes follow the levels"}});
    ByteVector levels = txtrFile(0, 16, 8, {}, 64 + 32 + 32);  // the second level is 8 x 4, the third 4 x 2 texels
    levels[11] = 3;
    levels[12 + 64 + 5] = levels[12 + 64 + 32 + 5] = 7;
    test::expectMessages(levels, decode, encodeTxtr,
                         {{"whole", 0, {}, {}, ""},
                          {"without the third", 0, {}, 12 + 64 + 32, ""},
                          {"cut", 0, {}, 12 + 64 + 32 + 20, "warning: data: level 3 of 3 is incomplete"},
                          {"cut before", 0, {}, 12 + 64 + 20, "warning: data: level 2 of 3 is incomplete"}});
    test::expectMessages(
        withPalette(), decode, encodeTxtr,
        {{"sound", 0, {}, {}, ""},
         {"type", 15, {3}, {}, "palette.type at 0xc: is 3, expected 0 to 2"},
         {"colors", 16, {1, 0, 1, 0}, {}, "palette.colors at 0x14: are 256 x 256, but the file has room for only 18"},
         {"outside",
          24,
          {0x32},
          {},
          "warning: data: 2 texels refer to none of the 2 colors of the palette and become transparent"}});
}

TEST(TxtrJson, GivesTheFileBackAndSaysWhatIsWrong) {
    core::Diagnostics none;
    const auto encode = [](const Json& json) {
        return test::messageOf(
            [&](core::Diagnostics& diagnostics) { (void)encodeTxtr(txtrFromJson(JsonReader(json), diagnostics)); });
    };
    for (const ByteVector& file : {withPalette(), txtrFile(9, 4, 4, {1, 2, 3}, 80)}) {
        const Json json = toJson(decodeTxtr(file, {}, none), {}, none);
        EXPECT_EQ(encodeTxtr(txtrFromJson(JsonReader(json), none)), file);
        EXPECT_EQ(encode(json), "");
    }
    Json json = toJson(decodeTxtr(withPalette(), {}, none), {}, none);
    EXPECT_EQ(json["type_name"], "C4");
    json["type"] = 0;
    EXPECT_EQ(encode(json), "palette: is an object, expected null, because I4 has no palette");
    json["palette"] = nullptr;
    EXPECT_EQ(encode(json), "note: type_name: is \"C4\"; \"I4\" is written instead, calculated from the other values");
    json["width"] = 64;
    EXPECT_EQ(encode(json).substr(0, 9), "data: is ");
    EXPECT_EQ(encode(json).substr(encode(json).find(", expected")),
              ", expected at least 256 bytes, the size of the image");
}

}  // namespace
}  // namespace reanima::metroid
