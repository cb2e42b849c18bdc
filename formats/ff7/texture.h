/// Textures of Final Fantasy VII (PC), `*.tex`, `**ac` to `**al`, `*.t00`.
///
/// Layout and evidence: docs/formats/ff7_texture.md
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "../fields.h"
#include "core/bytes.h"
#include "core/diagnostics.h"
#include "core/limits.h"
#include "core/mesh.h"
#include "piece.h"

namespace reanima::ff7 {

inline constexpr std::uint8_t kOpaque = 255;  ///< alpha value

struct TextureHeader {
    std::uint32_t version = 1;  ///< 2: header with four more bytes
    std::uint32_t unknown04 = 0;
    std::uint32_t colorKey = 0;  ///< 1: palette index 0 is transparent
    std::uint32_t unknown0C = 1;
    std::uint32_t unknown10 = 5;
    std::uint32_t minColorBits = 0;
    std::uint32_t maxColorBits = 0;
    std::uint32_t minAlphaBits = 0;
    std::uint32_t maxAlphaBits = 0;
    std::uint32_t minPixelBits = 0;
    std::uint32_t maxPixelBits = 0;
    std::uint32_t unknown2C = 0;
    std::uint32_t paletteCount = 0;
    std::uint32_t colorsPerPalette = 0;
    std::uint32_t bitDepth = 0;
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint32_t pitch = 0;
    std::uint32_t unknown48 = 0;
    std::uint32_t hasPalette = 0;
    std::uint32_t indexBits = 0;
    std::uint32_t unknown54 = 0;
    std::uint32_t paletteEntries = 0;
    std::uint32_t colorsPerPalette2 = 0;
    std::uint32_t palettePointer = 0;
    std::uint32_t bitsPerPixel = 0;
    std::uint32_t bytesPerPixel = 0;  ///< reliable, unlike the other sizes of a pixel in the header
    std::uint32_t redBits = 0;
    std::uint32_t greenBits = 0;
    std::uint32_t blueBits = 0;
    std::uint32_t alphaBits = 0;
    std::uint32_t redMask = 0;
    std::uint32_t greenMask = 0;
    std::uint32_t blueMask = 0;
    std::uint32_t alphaMask = 0;
    std::uint32_t redShift = 0;
    std::uint32_t greenShift = 0;
    std::uint32_t blueShift = 0;
    std::uint32_t alphaShift = 0;
    std::uint32_t redLoss = 0;
    std::uint32_t greenLoss = 0;
    std::uint32_t blueLoss = 0;
    std::uint32_t alphaLoss = 0;
    std::uint32_t redMax = 0;
    std::uint32_t greenMax = 0;
    std::uint32_t blueMax = 0;
    std::uint32_t alphaMax = 0;
    std::uint32_t hasColorKeys = 0;
    std::uint32_t colorKeysPointer = 0;
    std::uint32_t referenceAlpha = 255;  ///< alpha of texels whose stored alpha is 0xFE
    std::uint32_t blendMode = 0;
    std::uint32_t unknownCC = 0;
    std::uint32_t paletteIndex = 0;
    std::uint32_t unknownD4 = 0;
    std::uint32_t unknownD8 = 0;
    std::uint32_t paletteVramX = 0;
    std::uint32_t paletteVramY = 0;
    std::uint32_t imageVramX = 0;
    std::uint32_t imageVramY = 0;
};
/// The bit layout of red, green, blue and alpha in direct-colour pixels.
void describeChannels(auto&& f, fields::RecordOf<TextureHeader> auto& header) {
    f("red_bits", header.redBits);
    f("green_bits", header.greenBits);
    f("blue_bits", header.blueBits);
    f("alpha_bits", header.alphaBits);
    f("red_mask", header.redMask);
    f("green_mask", header.greenMask);
    f("blue_mask", header.blueMask);
    f("alpha_mask", header.alphaMask);
    f("red_shift", header.redShift);
    f("green_shift", header.greenShift);
    f("blue_shift", header.blueShift);
    f("alpha_shift", header.alphaShift);
    f("red_loss", header.redLoss);
    f("green_loss", header.greenLoss);
    f("blue_loss", header.blueLoss);
    f("alpha_loss", header.alphaLoss);
    f("red_max", header.redMax);
    f("green_max", header.greenMax);
    f("blue_max", header.blueMax);
    f("alpha_max", header.alphaMax);
}
void describe(auto&& f, fields::RecordOf<TextureHeader> auto& header) {
    f("version", header.version);
    f("unknown_04", header.unknown04);
    f("color_key", header.colorKey);
    f("unknown_0c", header.unknown0C);
    f("unknown_10", header.unknown10);
    f("min_color_bits", header.minColorBits);
    f("max_color_bits", header.maxColorBits);
    f("min_alpha_bits", header.minAlphaBits);
    f("max_alpha_bits", header.maxAlphaBits);
    f("min_pixel_bits", header.minPixelBits);
    f("max_pixel_bits", header.maxPixelBits);
    f("unknown_2c", header.unknown2C);
    f("palette_count", header.paletteCount);
    f("colors_per_palette", header.colorsPerPalette);
    f("bit_depth", header.bitDepth);
    f("width", header.width);
    f("height", header.height);
    f("pitch", header.pitch);
    f("unknown_48", header.unknown48);
    f("has_palette", header.hasPalette);
    f("index_bits", header.indexBits);
    f("unknown_54", header.unknown54);
    f("palette_entries", header.paletteEntries);
    f("colors_per_palette_2", header.colorsPerPalette2);
    f("palette_pointer", header.palettePointer);
    f("bits_per_pixel", header.bitsPerPixel);
    f("bytes_per_pixel", header.bytesPerPixel);
    describeChannels(f, header);
    f("has_color_keys", header.hasColorKeys);
    f("color_keys_pointer", header.colorKeysPointer);
    f("reference_alpha", header.referenceAlpha);
    f("blend_mode", header.blendMode);
    f("unknown_cc", header.unknownCC);
    f("palette_index", header.paletteIndex);
    f("unknown_d4", header.unknownD4);
    f("unknown_d8", header.unknownD8);
    f("palette_vram_x", header.paletteVramX);
    f("palette_vram_y", header.paletteVramY);
    f("image_vram_x", header.imageVramX);
    f("image_vram_y", header.imageVramY);
}

/// The content of a file, word for word.
struct Texture {
    TextureHeader header;
    core::ByteVector extra;               ///< only in version 2
    std::vector<StoredColor> palette;     ///< all palettes, one after another
    core::ByteVector pixels;              ///< rows from the top, without gaps
    std::vector<std::uint8_t> colorKeys;  ///< one per palette; fewer if the file is truncated
    core::ByteVector tail;                ///< bytes after the sections
};

/// The sizes of the sections after the header.
struct TextureSizes {
    std::uint64_t extra = 0;  ///< bytes
    std::uint64_t paletteEntries = 0;
    std::uint64_t texels = 0;
    std::uint64_t pixelBytes = 0;
    std::uint64_t colorKeys = 0;
};

/// @throws core::DecodeError for an unknown version, invalid pixels or a side of 0; of the kind `limit` for more than
/// 64 Mi texels
[[nodiscard]] TextureSizes sizesOf(const TextureHeader& header);

/// The number of usable palettes: those that are stated and complete; 1 if there are none.
[[nodiscard]] std::uint32_t palettesOf(const Texture& texture);

/// The pixels as a palette shows them. A texel of alpha 0 is 0, 0, 0, 0.
/// @param palette below palettesOf()
[[nodiscard]] core::Image imageOf(const Texture& texture, std::uint32_t palette);

/// @throws core::DecodeError as sizesOf() does, and for truncated palettes or pixels; of the kind `limit` for more
/// texels than the limits allow
[[nodiscard]] Texture decodeTexture(core::Bytes file, const core::Limits& limits, core::Diagnostics& diagnostics);

[[nodiscard]] core::ByteVector encodeTexture(const Texture& texture);

/// True if all bytes have the structure of a texture.
[[nodiscard]] bool isTexture(core::Bytes file);
/// True if the header is valid.
[[nodiscard]] bool beginsLikeTexture(core::Bytes file);

}  // namespace reanima::ff7
