#include "formats/ff7/texture.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "core/byte_reader.h"
#include "core/byte_writer.h"
#include "core/decode_watch.h"

namespace reanima::ff7 {

using core::Code;
using core::DecodeError;

namespace {

constexpr std::uint64_t kMostTexels = 64ULL << 20U;
constexpr std::uint32_t kMostPalettes = 256;
constexpr std::size_t kBytes = 256;  ///< different values of a byte

TextureHeader readTextureHeader(core::LittleEndianReader& file) {
    TextureHeader header;
    describe(fields::Read<core::LittleEndianReader>{file}, header);
    return header;
}

using Rgba = std::array<std::uint8_t, 4>;
constexpr Rgba kTransparent = {0, 0, 0, 0};

std::uint32_t pixelAt(const Texture& texture, std::size_t index) {
    const std::size_t size = texture.header.bytesPerPixel;
    std::uint32_t pixel = 0;
    for (std::size_t byte = size; byte-- > 0;)
        pixel = pixel << 8U | texture.pixels[index * size + byte];
    return pixel;
}

void warnOfIndices(const Texture& texture, core::Diagnostics& diagnostics) {
    const std::uint64_t first = (palettesOf(texture) - 1) * std::uint64_t{texture.header.colorsPerPalette};
    const std::size_t texels = texture.pixels.size() / texture.header.bytesPerPixel;
    const auto isBeyond = [first, colors = texture.palette.size()](std::uint32_t pixel) {
        return first + pixel >= colors;
    };
    std::uint64_t beyond = 0;
    if (texture.header.bytesPerPixel == 1)
        beyond = static_cast<std::uint64_t>(std::ranges::count_if(texture.pixels, isBeyond));
    else
        for (std::size_t i = 0; i < texels; ++i)
            beyond += isBeyond(pixelAt(texture, i)) ? 1U : 0U;
    if (beyond > 0)
        diagnostics.warn(
            Code::countMismatch, {"pixels", std::nullopt},
            fmt::format("{} of {} pixels refer to none of the {} colours of the palettes and become transparent{}",
                        beyond, texels, texture.palette.size(),
                        first > 0 ? fmt::format(" with palette {}", palettesOf(texture) - 1) : ""));
}

// ---------------------------------------------------------------------------------------------------------------------
// What a pixel shows

/// One channel of a pixel, from 0 to 255.
std::uint8_t part(std::uint32_t pixel, std::uint32_t mask, std::uint32_t shift, std::uint32_t most,
                  std::uint8_t otherwise) {
    if (most == 0)
        return otherwise;
    const std::uint64_t value = shift < 32 ? (pixel & mask) >> shift : 0;
    return static_cast<std::uint8_t>(std::min<std::uint64_t>(value * kOpaque / most, kOpaque));
}

/// 1-5-5-5 with the highest bit as alpha. The game inverts that bit, except in 0x8000.
Rgba fromHighColor(std::uint32_t pixel) {
    constexpr std::uint32_t kAlpha = 0x8000;
    const auto five = [pixel](std::uint32_t shift) { return part(pixel, 31U << shift, shift, 31, 0); };
    const bool isOpaque = pixel == kAlpha || (pixel & kAlpha) == 0;
    return {five(10), five(5), five(0), isOpaque ? kOpaque : std::uint8_t{0}};
}

/// The colour of a direct-colour pixel.
Rgba directColor(const TextureHeader& header, std::uint32_t pixel) {
    if ((header.colorKey == 1 && (pixel & ~header.alphaMask) == 0) || (header.colorKey == 3 && pixel == 0))
        return kTransparent;
    if (header.bytesPerPixel == 2 && header.alphaMask == 0x8000)
        return fromHighColor(pixel);
    return {part(pixel, header.redMask, header.redShift, header.redMax, 0),
            part(pixel, header.greenMask, header.greenShift, header.greenMax, 0),
            part(pixel, header.blueMask, header.blueShift, header.blueMax, 0),
            part(pixel, header.alphaMask, header.alphaShift, header.alphaMax, kOpaque)};
}

/// Looks up pixels in one palette.
class PaletteColors {
  public:
    PaletteColors(const Texture& texture, std::uint32_t palette)
        : texture_(texture),
          first_(std::uint64_t{palette} * texture.header.colorsPerPalette),
          isKeyed_((palette < texture.colorKeys.size() ? texture.colorKeys[palette] : texture.header.colorKey) != 0) {}

    [[nodiscard]] Rgba operator()(std::uint32_t pixel) const {
        constexpr std::uint8_t kReference = 0xFE;
        const std::uint64_t entry = first_ + pixel;
        if ((isKeyed_ && pixel == 0) || entry >= texture_.palette.size())
            return kTransparent;
        const auto [blue, green, red, alpha] = texture_.palette[static_cast<std::size_t>(entry)];
        return {red, green, blue,
                alpha == kReference ? static_cast<std::uint8_t>(texture_.header.referenceAlpha) : alpha};
    }

  private:
    const Texture& texture_;
    std::uint64_t first_;
    bool isKeyed_;
};

/// Fills an image from one-byte pixels: their 256 possible colours are computed only once.
template <typename ColorOf>
void fillFromBytes(core::Image& image, const Texture& texture, const ColorOf& colorOf) {
    std::array<Rgba, kBytes> colors{};
    for (std::uint32_t pixel = 0; pixel < colors.size(); ++pixel)
        colors[pixel] = colorOf(pixel);
    std::uint8_t* texel = image.rgba.data();
    for (const std::uint8_t pixel : texture.pixels) {
        std::memcpy(texel, colors[pixel].data(), sizeof(Rgba));
        texel += sizeof(Rgba);
    }
}

/// Fills an image. A texel whose alpha is 0 becomes black.
template <typename ColorOf>
void fill(core::Image& image, const Texture& texture, const ColorOf& colorOf) {
    const auto shown = [&colorOf](std::uint32_t pixel) {
        const Rgba color = colorOf(pixel);
        return color[3] != 0 ? color : kTransparent;
    };
    if (texture.header.bytesPerPixel == 1)
        return fillFromBytes(image, texture, shown);
    const std::size_t texels = image.rgba.size() / sizeof(Rgba);
    for (std::size_t i = 0; i < texels; ++i)
        std::ranges::copy(shown(pixelAt(texture, i)), image.rgba.begin() + static_cast<std::ptrdiff_t>(4 * i));
}

}  // namespace

TextureSizes sizesOf(const TextureHeader& header) {
    const auto refuse = [](std::string_view field, std::uint64_t offset, std::uint32_t value,
                           std::string_view expected) {
        throw DecodeError({std::string(field), offset}, fmt::format("is {}, expected {}", value, expected));
    };
    if (header.version != 1 && header.version != 2)
        refuse("version", 0, header.version, "1 or 2");
    if (header.width == 0)
        refuse("width", 0x3C, header.width, "1 or more");
    if (header.height == 0)
        refuse("height", 0x40, header.height, "1 or more");
    if (header.bytesPerPixel < 1 || header.bytesPerPixel > 4)
        refuse("bytes_per_pixel", 0x68, header.bytesPerPixel, "1 to 4");
    if (header.bytesPerPixel == 1 && header.hasPalette == 0)
        refuse("has_palette", 0x4C, header.hasPalette, "a palette for pixels of one byte");
    TextureSizes sizes;
    sizes.texels = std::uint64_t{header.width} * header.height;
    if (sizes.texels > kMostTexels)
        throw DecodeError({"width", 0x3C},
                          fmt::format("is {}, and there are {} rows: {} texels exceed the limit of {}", header.width,
                                      header.height, sizes.texels, kMostTexels),
                          DecodeError::Kind::limit);
    sizes.extra = header.version == 2 ? 4 : 0;
    sizes.paletteEntries = header.hasPalette != 0 ? header.paletteEntries : 0;
    sizes.pixelBytes = sizes.texels * header.bytesPerPixel;
    sizes.colorKeys = header.hasColorKeys != 0 ? header.paletteCount : 0;
    return sizes;
}

std::uint32_t palettesOf(const Texture& texture) {
    const TextureHeader& header = texture.header;
    if (header.colorsPerPalette == 0)
        return 1;
    const std::uint64_t whole =
        std::min<std::uint64_t>(header.paletteCount, texture.palette.size() / header.colorsPerPalette);
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(whole, 1, kMostPalettes));
}

core::Image imageOf(const Texture& texture, std::uint32_t palette) {
    core::Image image;
    image.width = texture.header.width;
    image.height = texture.header.height;
    image.rgba.resize(texture.pixels.size() / texture.header.bytesPerPixel * 4);
    if (texture.header.hasPalette != 0)
        fill(image, texture, PaletteColors(texture, palette));
    else
        fill(image, texture, [&](std::uint32_t pixel) { return directColor(texture.header, pixel); });
    return image;
}

Texture decodeTexture(core::Bytes bytes, const core::Limits& limits, core::Diagnostics& diagnostics) {
    core::tellDecoding("ff7 texture", bytes);
    core::LittleEndianReader file(bytes);
    Texture texture;
    texture.header = readTextureHeader(file);
    const TextureSizes sizes = sizesOf(texture.header);
    core::SampleBudget(limits).take(sizes.texels, {"width", 0x3C});
    texture.extra = core::copyOf(file.bytes(sizes.extra, "extra"));
    const core::Bytes colors = file.bytes(sizes.paletteEntries * sizeof(StoredColor), "palette");
    const core::Bytes pixels = file.bytes(sizes.pixelBytes, "pixels");
    core::requireMemory(bytes.size(), limits, {"pixels", std::nullopt});
    texture.palette.resize(colors.size() / sizeof(StoredColor));
    for (std::size_t i = 0; i < texture.palette.size(); ++i)
        std::ranges::copy(colors.subspan(i * sizeof(StoredColor), sizeof(StoredColor)), texture.palette[i].begin());
    texture.pixels = core::copyOf(pixels);
    if (texture.header.hasPalette != 0)
        warnOfIndices(texture, diagnostics);
    if (sizes.colorKeys > file.remaining())
        diagnostics.warn(Code::truncated, file.place("color_keys"),
                         fmt::format("{} are stated, but only {} are present", sizes.colorKeys, file.remaining()));
    texture.colorKeys = core::copyOf(file.bytesUpTo(sizes.colorKeys));
    if (!file.atEnd())
        diagnostics.warn(Code::trailingBytes, file.place("tail"),
                         fmt::format("{} bytes follow the texture", file.remaining()));
    texture.tail = core::copyOf(file.rest());
    return texture;
}

core::ByteVector encodeTexture(const Texture& texture) {
    core::LittleEndianWriter out;
    describe(fields::Write<core::LittleEndianWriter>{out}, texture.header);
    out.write(core::Bytes(texture.extra));
    for (const StoredColor& color : texture.palette)
        out.write(core::Bytes(color));
    out.write(core::Bytes(texture.pixels));
    out.write(core::Bytes(texture.colorKeys));
    out.write(core::Bytes(texture.tail));
    return out.take();
}

bool isTexture(core::Bytes bytes) {
    try {
        core::LittleEndianReader file(bytes);
        const TextureSizes sizes = sizesOf(readTextureHeader(file));
        return file.remaining() ==
               sizes.extra + sizes.paletteEntries * sizeof(StoredColor) + sizes.pixelBytes + sizes.colorKeys;
    } catch (const DecodeError&) {
        return false;
    }
}

bool beginsLikeTexture(core::Bytes bytes) {
    try {
        core::LittleEndianReader file(bytes);
        const auto header = readTextureHeader(file);
        (void)sizesOf(header);
        return header.version == 1 && header.unknown04 == 0 && header.unknown0C == 1;
    } catch (const DecodeError&) {
        return false;
    }
}

}  // namespace reanima::ff7
