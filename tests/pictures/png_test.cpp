#include "pictures/png.h"

#include <random>

#include <gtest/gtest.h>
#include <png.h>
#include <zlib.h>

namespace reanima::pictures {
namespace {

using core::ByteVector;

// ---------------------------------------------------------------------------------------------------------------------
// Pictures of many kinds

struct Kind {
    const char* name;
    Rgba (*at)(std::uint32_t x, std::uint32_t y, std::mt19937& random);
};
void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

std::uint8_t byteOf(std::uint64_t number) { return static_cast<std::uint8_t>(number); }

constexpr Kind kKinds[] = {
    {"one_colour",
     [](std::uint32_t, std::uint32_t, std::mt19937&) {
         return Rgba{1, 2, 3, 255};
     }},
    {"black",
     [](std::uint32_t, std::uint32_t, std::mt19937&) {
         return Rgba{0, 0, 0, 255};
     }},
    {"noise",
     [](std::uint32_t, std::uint32_t, std::mt19937& random) { return toRgba(static_cast<core::Pixel555>(random())); }},
    {"all_bytes",
     [](std::uint32_t, std::uint32_t, std::mt19937& random) {
         return Rgba{byteOf(random()), byteOf(random()), byteOf(random()), 255};
     }},
    {"transparent_noise",
     [](std::uint32_t, std::uint32_t, std::mt19937& random) {
         return Rgba{byteOf(random()), byteOf(random()), byteOf(random()), byteOf(random() % 3)};
     }},
    {"columns",
     [](std::uint32_t x, std::uint32_t, std::mt19937&) {
         return Rgba{byteOf(x * 7), byteOf(x), 9, 255};
     }},
    {"slope",
     [](std::uint32_t x, std::uint32_t y, std::mt19937& random) {
         return Rgba{byteOf(x / 3 + random() % 2), byteOf(y / 2), byteOf(x + y), 255};
     }},
    {"spots",
     [](std::uint32_t, std::uint32_t, std::mt19937& random) {
         return random() % 50 == 0 ? Rgba{byteOf(random()), 255, 0, 255} : Rgba{7, 7, 7, 255};
     }},
    {"chess",
     [](std::uint32_t x, std::uint32_t y, std::mt19937&) {
         return (x + y) % 2 == 0 ? Rgba{200, 100, 50, 255} : Rgba{10, 20, 30, 0};
     }},
};

Picture pictureOf(const Kind& kind, std::uint32_t width, std::uint32_t height) {
    std::mt19937 random(width * 31 + height);
    Picture picture{width, height, std::vector<Rgba>(std::size_t{width} * height)};
    for (std::uint32_t y = 0; y < height; ++y)
        for (std::uint32_t x = 0; x < width; ++x)
            picture.at(x, y) = kind.at(x, y, random);
    return picture;
}

class Png : public testing::TestWithParam<Kind> {};

// libpng reads the files, which are written without it: chunks, sums, filters and compression.
TEST_P(Png, ComesBack) {
    for (std::uint32_t width = 1; width <= 40; ++width)
        for (const std::uint32_t height : {1U, 2U, 3U, 17U})
            EXPECT_EQ(decodePng(encodePng(pictureOf(GetParam(), width, height)), {}).pixels,
                      pictureOf(GetParam(), width, height).pixels)
                << width << " x " << height;
    for (const auto& [width, height] : {std::pair{640U, 480U}, {1U, 70000U}, {70000U, 1U}, {2050U, 100U}})
        EXPECT_EQ(decodePng(encodePng(pictureOf(GetParam(), width, height)), {}).pixels,
                  pictureOf(GetParam(), width, height).pixels)
            << width << " x " << height;
}

/// The size of libpng's own file.
std::size_t sizeByLibpng(const Picture& picture) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = picture.width;
    image.height = picture.height;
    image.format = PNG_FORMAT_RGBA;
    png_alloc_size_t size = 0;
    EXPECT_NE(png_image_write_get_memory_size(image, size, 0, picture.pixels.data(), 0, nullptr), 0);
    return size;
}

/// The names of all chunks. Blender rejects a file with one wrong sum, even in the last chunk, which libpng's
/// simplified reader does not check.
std::string chunksOf(const ByteVector& file) {
    const auto word = [&file](std::size_t at) {
        return std::uint32_t{file.at(at)} << 24U | std::uint32_t{file.at(at + 1)} << 16U |
               std::uint32_t{file.at(at + 2)} << 8U | file.at(at + 3);
    };
    std::string names;
    for (std::size_t at = 8; at < file.size(); at += 12 + word(at)) {
        names.append(file.begin() + static_cast<std::ptrdiff_t>(at + 4),
                     file.begin() + static_cast<std::ptrdiff_t>(at + 8));
        EXPECT_EQ(word(at + 8 + word(at)), crc32(0, &file.at(at + 4), word(at) + 4)) << names;
    }
    return names;
}

TEST_P(Png, HasRightSumsInAllChunks) {
    EXPECT_EQ(chunksOf(encodePng(pictureOf(GetParam(), 5, 4))), "IHDRsRGBIDATIEND");
}

TEST_P(Png, ANoteStandsInFrontOfThePixels) {
    const Picture picture = pictureOf(GetParam(), 5, 4);
    const ByteVector plain = encodePng(picture);
    const ByteVector noted = withNote(plain, "some words");
    EXPECT_EQ(chunksOf(noted), "IHDRsRGBtEXtIDATIEND");
    EXPECT_EQ(decodePng(noted, {}).pixels, picture.pixels);
    const std::optional<NotedPng> found = noteIn(noted);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->note, "some words");
    EXPECT_EQ(found->png, plain);
    EXPECT_FALSE(noteIn(plain));
    for (std::size_t size = 0; size < 60; ++size)
        EXPECT_FALSE(noteIn(core::Bytes(noted).first(size))) << size;
}

core::Image imageOf(const Picture& picture) {
    core::Image image{"image", picture.width, picture.height, {}};
    for (const Rgba& pixel : picture.pixels)
        image.rgba.insert(image.rgba.end(), pixel.begin(), pixel.end());
    return image;
}

TEST_P(Png, TexturesComeBack) {
    for (const auto& [width, height] : {std::pair{1U, 1U}, {5U, 4U}, {16U, 16U}, {17U, 16U}, {256U, 100U}}) {
        const Picture picture = pictureOf(GetParam(), width, height);
        EXPECT_EQ(decodePng(encodePng(imageOf(picture)), {}).pixels, picture.pixels) << width << " x " << height;
    }
}

TEST(PngOfTexture, HasAPaletteForUpTo256Colours) {
    constexpr std::size_t kColourType = 25;  // in the header
    Picture picture{256, 2, {}};
    for (std::uint32_t i = 0; i < 512; ++i)
        picture.pixels.push_back({byteOf(i), 7, 9, byteOf(i % 256 == 3 ? 128 : 255)});
    const ByteVector small = encodePng(imageOf(picture));
    EXPECT_EQ(small.at(kColourType), 3);
    EXPECT_EQ(decodePng(small, {}).pixels, picture.pixels);
    picture.pixels[300][1] = 8;
    const ByteVector large = encodePng(imageOf(picture));
    EXPECT_EQ(large.at(kColourType), 6);
    EXPECT_EQ(decodePng(large, {}).pixels, picture.pixels);
}

TEST_P(Png, IsNotMuchLargerThanLibpngMakesIt) {
    const Picture picture = pictureOf(GetParam(), 640, 480);
    EXPECT_LE(encodePng(picture).size(), 2 * sizeByLibpng(picture) + 4000);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Png, testing::ValuesIn(kKinds),
                         [](const auto& kind) { return std::string(kind.param.name); });

}  // namespace
}  // namespace reanima::pictures
