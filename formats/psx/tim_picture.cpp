#include "formats/psx/tim_picture.h"

#include <algorithm>
#include <span>

#include "formats/psx/texture_memory.h"

namespace reanima::psx {

namespace {

constexpr std::uint8_t kOpaque = 0xFF;
constexpr std::uint8_t kTrueColor = 3;

bool hasIndices(const Tim& tim) { return bitsOf(tim.mode) < kWordBits; }

std::uint32_t colorsPerPalette(const Tim& tim) { return 1U << bitsOf(tim.mode); }

/// The number of palettes in a row of the CLUT. A row that is narrower than a palette contains a part of one.
std::uint32_t palettesPerRow(const Tim& tim) {
    return std::max<std::uint32_t>(tim.clut->width / colorsPerPalette(tim), 1);
}

std::span<const std::uint16_t> paletteOf(const Tim& tim, std::uint32_t palette) {
    const std::uint32_t perRow = palettesPerRow(tim);
    const std::size_t column = std::size_t{palette % perRow} * colorsPerPalette(tim);
    const std::size_t begin = std::size_t{palette / perRow} * tim.clut->width + column;
    const std::size_t count = std::min<std::size_t>(colorsPerPalette(tim), tim.clut->width - column);
    return std::span(tim.clut->words).subspan(begin, count);
}

void appendTransparent(core::Image& image) { image.rgba.insert(image.rgba.end(), 4, 0); }

void append(core::Image& image, std::uint16_t color) {
    if (color == 0)
        appendTransparent(image);
    else
        appendColor(image.rgba, color, kOpaque);
}

void appendIndexed(core::Image& image, const Tim& tim, std::span<const std::uint16_t> palette) {
    const std::uint32_t bits = bitsOf(tim.mode);
    for (const std::uint16_t word : tim.image.words)
        for (std::uint32_t x = 0; x < kWordBits / bits; ++x) {
            const std::uint32_t index = indexIn(word, x, bits);
            if (!tim.clut)
                image.rgba.insert(image.rgba.end(), 3, static_cast<std::uint8_t>(index * kOpaque / ((1U << bits) - 1)));
            if (!tim.clut)
                image.rgba.push_back(kOpaque);
            else if (index < palette.size())
                append(image, palette[index]);
            else
                appendTransparent(image);
        }
}

/// Appends pixels of three bytes: red, green, blue. The rest of a row's last word is not a texel.
void appendTrueColors(core::Image& image, const Tim& tim) {
    const auto byteOf = [&](std::size_t row, std::size_t i) {
        return static_cast<std::uint8_t>(tim.image.words[row * tim.image.width + i / 2] >> i % 2 * 8);
    };
    for (std::size_t y = 0; y < image.height; ++y)
        for (std::size_t x = 0; x < image.width; ++x) {
            for (std::size_t channel = 0; channel < 3; ++channel)
                image.rgba.push_back(byteOf(y, 3 * x + channel));
            image.rgba.push_back(kOpaque);
        }
}

}  // namespace

std::uint32_t palettesOf(const Tim& tim) {
    if (!tim.clut || !hasIndices(tim))
        return 1;
    return std::max<std::uint32_t>(palettesPerRow(tim) * tim.clut->height, 1);
}

core::Image imageOf(const Tim& tim, std::uint32_t palette) {
    core::Image image;
    image.width = pixelWidthOf(tim);
    image.height = tim.image.height;
    image.rgba.reserve(std::size_t{image.width} * image.height * 4);
    if (tim.mode == kTrueColor)
        appendTrueColors(image, tim);
    else if (hasIndices(tim))
        appendIndexed(
            image, tim,
            tim.clut && !tim.clut->words.empty() ? paletteOf(tim, palette) : std::span<const std::uint16_t>());
    else
        for (const std::uint16_t color : tim.image.words)
            append(image, color);
    return image;
}

}  // namespace reanima::psx
