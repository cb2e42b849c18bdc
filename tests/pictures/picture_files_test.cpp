#include "pictures/picture_files.h"

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include "core/decode_error.h"
#include "support/bytes.h"

namespace reanima::pictures {
namespace {

/// Numbers of one byte each, in order.
core::ByteVector bytesOf(std::initializer_list<unsigned> numbers) {
    core::ByteVector bytes;
    for (const unsigned number : numbers)
        bytes.push_back(static_cast<std::uint8_t>(number));
    return bytes;
}

core::ByteVector joined(core::ByteVector head, const core::ByteVector& tail) {
    head.insert(head.end(), tail.begin(), tail.end());
    return head;
}

core::ByteVector tga(unsigned type, unsigned width, unsigned height, unsigned bits, unsigned order = 0x20) {
    return bytesOf(
        {0, 0, type, 0, 0, 0, 0, 0, 0, 0, 0, 0, width & 255U, width >> 8U, height & 255U, height >> 8U, bits, order});
}

core::ByteVector dds(char kind, unsigned width, unsigned height, const core::ByteVector& blocks) {
    core::ByteVector file = bytesOf({'D', 'D', 'S', ' ', 124, 0, 0, 0, 0, 0, 0, 0, height, 0, 0, 0, width, 0, 0, 0});
    file.resize(84);
    file = joined(file, bytesOf({'D', 'X', 'T', static_cast<unsigned>(kind)}));
    file.resize(128);
    return joined(file, blocks);
}

std::string refusalOf(const core::ByteVector& file, const core::Limits& limits = {}) {
    try {
        (void)readPictureFile(file, limits);
    } catch (const core::DecodeError& error) {
        return error.what();
    }
    return {};
}

TEST(PictureFiles, TgaInColours) {
    const Picture upright = readPictureFile(joined(tga(2, 1, 2, 32), bytesOf({1, 2, 3, 4, 5, 6, 7, 8})), {});
    EXPECT_EQ(upright.width, 1U);
    EXPECT_EQ(upright.height, 2U);
    EXPECT_EQ(upright.pixels, (std::vector<Rgba>{{3, 2, 1, 4}, {7, 6, 5, 8}}));
    const Picture turned = readPictureFile(joined(tga(2, 1, 2, 24, 0), bytesOf({1, 2, 3, 5, 6, 7})), {});
    EXPECT_EQ(turned.pixels, (std::vector<Rgba>{{7, 6, 5, 255}, {3, 2, 1, 255}}));
}

TEST(PictureFiles, TgaInRuns) {
    const Picture picture = readPictureFile(joined(tga(10, 3, 1, 24), bytesOf({0x81, 1, 2, 3, 0, 4, 5, 6})), {});
    EXPECT_EQ(picture.pixels, (std::vector<Rgba>{{3, 2, 1, 255}, {3, 2, 1, 255}, {6, 5, 4, 255}}));
}

TEST(PictureFiles, AnAlphaChannelThatNobodyFilledIsOpaque) {
    const Picture picture = readPictureFile(joined(tga(2, 1, 1, 32), bytesOf({1, 2, 3, 0})), {});
    EXPECT_EQ(picture.pixels, (std::vector<Rgba>{{3, 2, 1, 255}}));
}

TEST(PictureFiles, Bmp) {
    const core::ByteVector head =
        bytesOf({'B', 'M', 70, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 24, 0});
    core::ByteVector file = head;
    file.resize(54);
    file = joined(file, bytesOf({1, 2, 3, 0, 4, 5, 6, 0}));  // rows from below, of four bytes
    EXPECT_EQ(readPictureFile(file, {}).pixels, (std::vector<Rgba>{{6, 5, 4, 255}, {3, 2, 1, 255}}));
    file.pop_back();
    EXPECT_EQ(refusalOf(file), "is cut off: has 61 bytes, expected 62");
}

TEST(PictureFiles, DdsOfFourColours) {
    // red is larger than blue: two colours between them; 0xE4 is 0, 1, 2, 3 from the left
    const core::ByteVector block = bytesOf({0x00, 0xF8, 0x1F, 0x00, 0xE4, 0, 0, 0});
    const Picture picture = readPictureFile(dds('1', 4, 1, block), {});
    EXPECT_EQ(picture.pixels,
              (std::vector<Rgba>{{255, 0, 0, 255}, {0, 0, 255, 255}, {170, 0, 85, 255}, {85, 0, 170, 255}}));
}

TEST(PictureFiles, DdsWithHoles) {
    const core::ByteVector block = bytesOf({0x1F, 0x00, 0x00, 0xF8, 0xE4, 0, 0, 0});
    const Picture picture = readPictureFile(dds('1', 4, 1, block), {});
    EXPECT_EQ(picture.pixels,
              (std::vector<Rgba>{{0, 0, 255, 255}, {255, 0, 0, 255}, {128, 0, 128, 255}, {0, 0, 0, 0}}));
}

TEST(PictureFiles, DdsWithAlphasOfTheirOwn) {
    const core::ByteVector colours = bytesOf({0xE0, 0x07, 0x00, 0x00, 0, 0, 0, 0});
    EXPECT_EQ(readPictureFile(dds('3', 2, 1, joined(bytesOf({0x2F, 0, 0, 0, 0, 0, 0, 0}), colours)), {}).pixels,
              (std::vector<Rgba>{{0, 255, 0, 255}, {0, 255, 0, 34}}));
    const auto alphasOf = [&](unsigned first, unsigned second) {
        // the indices 0, 1, 2, 6, of three bits each: 0 | 1 << 3 | 2 << 6 | 6 << 9
        const Picture picture =
            readPictureFile(dds('5', 4, 1, joined(bytesOf({first, second, 0x88, 0x0C, 0, 0, 0, 0}), colours)), {});
        std::vector<int> alphas;
        for (const Rgba& pixel : picture.pixels)
            alphas.push_back(pixel[3]);
        return alphas;
    };
    EXPECT_EQ(alphasOf(210, 0), (std::vector{210, 0, 180, 60}));
    EXPECT_EQ(alphasOf(0, 250), (std::vector{0, 250, 50, 0}));
}

TEST(PictureFiles, Jpeg) {
    const core::ByteVector file = test::readBytes(test::sourceFolder() / "tests/data/pictures/halves.jpg");
    const Picture picture = readPictureFile(file, {});
    EXPECT_EQ(picture.width, 16U);
    EXPECT_EQ(picture.height, 8U);
    const auto isNear = [](const Rgba& pixel, const Rgba& wanted) {
        return std::ranges::equal(pixel, wanted, [](int a, int b) { return std::abs(a - b) < 8; });
    };
    for (std::uint32_t y = 0; y < 8; ++y)
        for (std::uint32_t x = 0; x < 16; ++x)
            EXPECT_TRUE(isNear(picture.at(x, y), x < 8 ? Rgba{255, 0, 0, 255} : Rgba{0, 0, 255, 255})) << x << " " << y;
    core::ByteVector wide = file;
    const core::ByteVector marker = bytesOf({0xFF, 0xC0});
    const auto frame = std::search(wide.begin(), wide.end(), marker.begin(), marker.end());
    frame[7] = 0xFF;                 // the width, from 16 to 65,296
    EXPECT_NE(refusalOf(wide), "");  // its pixels end too early
    core::Limits limits;
    limits.picturePixels = std::uint64_t{65'295} * 8;
    EXPECT_EQ(refusalOf(wide, limits),
              "has 65296 x 8 pixels, but the limit is 522360 pixels (see option limit-samples=N)");
    core::ByteVector scans = file;
    for (int i = 0; i < 64; ++i)
        scans = joined(scans, bytesOf({0xFF, 0xDA}));
    EXPECT_EQ(refusalOf(scans), "has 65 scans, expected at most 64");
    EXPECT_EQ(refusalOf(bytesOf({0xFF, 0xD8, 0xFF, 0xE0, 0, 2, 0, 0})), "has other bytes in place of a JPEG marker");
    EXPECT_EQ(refusalOf(bytesOf({0xFF, 0xD8, 0xFF, 0xE0, 0, 1, 0, 0})), "has a segment of less than 2 bytes");
    EXPECT_EQ(refusalOf({file.begin(), file.begin() + 8}), "segment at 0x6: needs 14 bytes, but only 2 are left");
}

TEST(PictureFiles, WhatTheyHoldIsSaidWhereItIsNotRead) {
    EXPECT_EQ(refusalOf(bytesOf({'G', 'I', 'F'})), "is not a supported image (PNG, JPEG, TGA, BMP, DDS)");
    EXPECT_EQ(refusalOf(tga(2, 0, 2, 32)), "is not a supported image (PNG, JPEG, TGA, BMP, DDS)");
    EXPECT_EQ(refusalOf(joined(tga(2, 0, 2, 32), {0})), "has no pixels");
    EXPECT_EQ(refusalOf(joined(tga(2, 2, 2, 32), {0})), "is cut off: has 19 bytes, expected 34");
    EXPECT_EQ(refusalOf(joined(tga(10, 256, 256, 24), {0})), "is cut off: has 19 bytes, expected 2066");
    EXPECT_EQ(refusalOf(joined(tga(1, 1, 1, 8), {0, 0})), "can't be read: unknown image type");
    EXPECT_EQ(refusalOf(dds('4', 4, 4, {})), "is a DDS image of an unsupported kind, expected DXT1, DXT3 or DXT5");
    EXPECT_EQ(refusalOf(dds('5', 5, 4, core::ByteVector(31))), "is cut off: has 159 bytes, expected 160");
}

TEST(PictureFiles, LimitsHold) {
    core::Limits limits;
    limits.picturePixels = 3;
    const core::ByteVector file = joined(tga(2, 2, 2, 32), core::ByteVector(16));
    EXPECT_EQ(refusalOf(file, limits), "has 2 x 2 pixels, but the limit is 3 pixels (see option limit-samples=N)");
    limits.picturePixels = 4;
    EXPECT_EQ(refusalOf(file, limits), "");
    EXPECT_EQ(refusalOf(file, limits.holding(limits.memory - 1)),
              "would need 1025 MiB of memory, but the limit is 1024 (see option limit-memory=MIB)");
}

TEST(PictureFiles, EveryShorterFileIsRefused) {
    const core::ByteVector whole = joined(tga(2, 2, 2, 32), core::ByteVector(16));
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_NE(refusalOf({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)}), "") << size;
    const core::ByteVector blocks = dds('5', 4, 4, core::ByteVector(16));
    for (std::size_t size = 0; size < blocks.size(); ++size)
        EXPECT_NE(refusalOf({blocks.begin(), blocks.begin() + static_cast<std::ptrdiff_t>(size)}), "") << size;
}

}  // namespace
}  // namespace reanima::pictures
