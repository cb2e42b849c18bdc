#include "pictures/picture_files.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>

#include <fmt/format.h>

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_NO_STDIO
#define STBI_ONLY_BMP
#define STBI_ONLY_JPEG
#define STBI_ONLY_TGA
#include <stb/stb_image.h>

#include "core/byte_reader.h"
#include "pictures/png.h"

namespace reanima::pictures {

namespace {

using core::DecodeError;
using Reader = core::ByteReader<std::endian::little>;

/// What a file's header states.
struct Header {
    std::uint64_t width = 0;
    std::uint64_t height = 0;
    std::uint64_t leastSize = 0;  ///< smallest size of a complete file
};

void check(const Header& header, core::Bytes file, const core::Limits& limits) {
    if (header.width == 0 || header.height == 0)
        throw DecodeError("has no pixels");
    if (header.width > limits.picturePixels / header.height)
        throw DecodeError({},
                          fmt::format("has {} x {} pixels, but the limit is {} pixels", header.width, header.height,
                                      limits.picturePixels),
                          DecodeError::Kind::limit)
            .withHint({"limit-samples", "N"});
    if (file.size() < header.leastSize)
        throw DecodeError(fmt::format("is cut off: has {} bytes, expected {}", file.size(), header.leastSize));
    constexpr std::uint64_t kBytesPerPixel = 16;  // in use while a picture is read, rotated and copied
    core::requireMemory(header.width * header.height * kBytesPerPixel, limits, {});
}

bool beginsLike(core::Bytes file, std::string_view sign) {
    return file.size() >= sign.size() && std::equal(sign.begin(), sign.end(), file.begin(), [](char a, std::uint8_t b) {
               return static_cast<std::uint8_t>(a) == b;
           });
}

/// Recognises a TGA file by these fields, since it has no magic number.
bool isTga(core::Bytes file) {
    constexpr std::size_t kHeader = 18;
    constexpr std::array<std::uint8_t, 6> kTypes = {1, 2, 3, 9, 10, 11};
    constexpr std::array<std::uint8_t, 5> kBits = {8, 15, 16, 24, 32};
    return file.size() > kHeader && file[1] <= 1 && std::ranges::count(kTypes, file[2]) > 0 &&
           std::ranges::count(kBits, file[16]) > 0;
}

Header headerOfTga(core::Bytes file) {
    Reader reader(file);
    const auto nameLength = reader.read<std::uint8_t>("id_length");
    (void)reader.bytes(1, "color_map_type");
    const auto type = reader.read<std::uint8_t>("image_type");
    (void)reader.bytes(2, "color_map_start");
    const auto colours = reader.read<std::uint16_t>("color_map_length");
    const auto bitsOfColour = reader.read<std::uint8_t>("color_map_depth");
    (void)reader.bytes(4, "origin");
    Header header;
    header.width = reader.read<std::uint16_t>("width");
    header.height = reader.read<std::uint16_t>("height");
    const auto bits = reader.read<std::uint8_t>("pixel_depth");
    constexpr unsigned kPacked = 8;
    constexpr std::uint64_t kLongestRun = 128;  // the most pixels that one count byte and one stored pixel can encode
    const std::uint64_t pixels = header.width * header.height;
    const std::uint64_t pixel = (bits + 7U) / 8;
    header.leastSize = 18U + nameLength + colours * ((bitsOfColour + 7ULL) / 8) +
                       (type < kPacked ? pixels * pixel : (pixels + kLongestRun - 1) / kLongestRun * (1 + pixel));
    return header;
}

Header headerOfBmp(core::Bytes file) {
    Reader reader(file);
    (void)reader.bytes(10, "file_header");
    const auto pixels = reader.read<std::uint32_t>("pixels");
    const auto size = reader.read<std::uint32_t>("header_size");
    Header header;
    constexpr std::uint32_t kOldHeader = 12;
    if (size == kOldHeader) {
        header.width = reader.read<std::uint16_t>("width");
        header.height = reader.read<std::uint16_t>("height");
    } else {
        const auto length = [&](const char* field) {
            return static_cast<std::uint64_t>(std::abs(std::int64_t{reader.read<std::int32_t>(field)}));
        };
        header.width = length("width");
        header.height = length("height");
    }
    (void)reader.bytes(2, "planes");
    const auto bits = reader.read<std::uint16_t>("bits");
    header.leastSize = pixels + (std::min<std::uint64_t>(header.width, file.size() * 8) * bits + 31) / 32 * 4 *
                                    std::min<std::uint64_t>(header.height, file.size());
    return header;
}

/// Reads the header of the first frame. Progressive files may have any number of scans, and each scan needs time.
Header headerOfJpeg(core::Bytes file) {
    constexpr std::uint8_t kMarker = 0xFF;
    constexpr std::uint8_t kScan = 0xDA;
    constexpr std::ptrdiff_t kMostScans = 64;  // files usually have 10 scans
    std::ptrdiff_t scans = 0;
    for (std::size_t at = 1; at < file.size(); ++at)
        scans += file[at - 1] == kMarker && file[at] == kScan ? 1 : 0;
    if (scans > kMostScans)
        throw DecodeError(fmt::format("has {} scans, expected at most {}", scans, kMostScans));
    core::ByteReader<std::endian::big> reader(file);
    (void)reader.bytes(2, "start");
    for (;;) {
        if (reader.read<std::uint8_t>("marker") != kMarker)
            throw DecodeError("has other bytes in place of a JPEG marker");
        const auto marker = reader.read<std::uint8_t>("marker");
        const auto length = reader.read<std::uint16_t>("length");
        // Start of frame: baseline, extended, progressive.
        if (marker >= 0xC0 && marker <= 0xC2) {
            (void)reader.bytes(1, "precision");
            Header header;
            header.height = reader.read<std::uint16_t>("height");
            header.width = reader.read<std::uint16_t>("width");
            return header;
        }
        if (length < 2)
            throw DecodeError("has a segment of less than 2 bytes");
        (void)reader.bytes(length - 2U, "segment");
    }
}

Header headerOf(core::Bytes file) {
    if (beginsLike(file, "\xFF\xD8\xFF"))
        return headerOfJpeg(file);
    return beginsLike(file, "BM") ? headerOfBmp(file) : headerOfTga(file);
}

Picture readThroughStb(core::Bytes file) {
    int width = 0;
    int height = 0;
    int channels = 0;
    constexpr int kRgba = 4;
    const std::unique_ptr<stbi_uc, decltype(&stbi_image_free)> pixels(
        stbi_load_from_memory(file.data(), static_cast<int>(file.size()), &width, &height, &channels, kRgba),
        stbi_image_free);
    if (!pixels)
        throw DecodeError(fmt::format("can't be read: {}", stbi_failure_reason()));
    Picture picture{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), {}};
    picture.pixels.resize(std::size_t{picture.width} * picture.height);
    std::memcpy(picture.pixels.data(), pixels.get(), picture.pixels.size() * sizeof(Rgba));
    if (std::ranges::all_of(picture.pixels, [](const Rgba& pixel) { return pixel[3] == 0; }))
        for (Rgba& pixel : picture.pixels)
            pixel[3] = 255;
    return picture;
}

/// The kinds of blocks of 4 x 4 pixels. In every kind, the colours are at the end of the block.
enum class Blocks : std::uint32_t { dxt1 = 0x31545844, dxt3 = 0x33545844, dxt5 = 0x35545844 };

Rgba ofWord(std::uint16_t word) {
    const unsigned red = word >> 11U;
    const unsigned green = word >> 5U & 63U;
    const unsigned blue = word & 31U;
    return {static_cast<std::uint8_t>(red << 3U | red >> 2U), static_cast<std::uint8_t>(green << 2U | green >> 4U),
            static_cast<std::uint8_t>(blue << 3U | blue >> 2U), 255};
}

/// The rounded weighted mean of a, with the weight `parts`, and b, with the weight `all` - `parts`.
std::uint8_t between(unsigned a, unsigned b, unsigned parts, unsigned all) {
    return static_cast<std::uint8_t>((a * parts + b * (all - parts) + all / 2) / all);
}

using Block = std::array<Rgba, 16>;

void readColours(Reader& reader, Blocks kind, Block& block) {
    const auto first = reader.read<std::uint16_t>("color_0");
    const auto second = reader.read<std::uint16_t>("color_1");
    const auto indices = reader.read<std::uint32_t>("colors");
    std::array<Rgba, 4> colours = {ofWord(first), ofWord(second), Rgba{0, 0, 0, 255}, Rgba{0, 0, 0, 0}};
    const bool four = first > second || kind != Blocks::dxt1;
    for (std::size_t channel = 0; channel < 3; ++channel) {
        const unsigned a = colours[0].at(channel);
        const unsigned b = colours[1].at(channel);
        colours[2].at(channel) = four ? between(a, b, 2, 3) : between(a, b, 1, 2);
        if (four)
            colours[3].at(channel) = between(a, b, 1, 3);
    }
    if (four)
        colours[3][3] = 255;
    for (std::size_t i = 0; i < block.size(); ++i)
        block.at(i) = colours.at(indices >> (2 * i) & 3U);
}

void readAlphas(Reader& reader, Blocks kind, std::array<std::uint8_t, 16>& alphas) {
    const auto bits = reader.read<std::uint64_t>("alphas");
    if (kind == Blocks::dxt3) {
        for (std::size_t i = 0; i < alphas.size(); ++i)
            alphas.at(i) = static_cast<std::uint8_t>((bits >> (4 * i) & 15U) * 17);
        return;
    }
    const auto first = static_cast<unsigned>(bits & 255U);
    const auto second = static_cast<unsigned>(bits >> 8U & 255U);
    const unsigned steps = first > second ? 7 : 5;
    for (std::size_t i = 0; i < alphas.size(); ++i) {
        const auto index = static_cast<unsigned>(bits >> (16 + 3 * i) & 7U);
        alphas.at(i) = index == 0      ? static_cast<std::uint8_t>(first)
                       : index == 1    ? static_cast<std::uint8_t>(second)
                       : index > steps ? static_cast<std::uint8_t>(index == 6 ? 0 : 255)
                                       : between(first, second, steps + 1 - index, steps);
    }
}

Block readBlock(Reader& reader, Blocks kind) {
    std::array<std::uint8_t, 16> alphas{};
    if (kind != Blocks::dxt1)
        readAlphas(reader, kind, alphas);
    Block block;  // NOLINT: filled by readColours()
    readColours(reader, kind, block);
    if (kind != Blocks::dxt1)
        for (std::size_t i = 0; i < block.size(); ++i)
            block.at(i)[3] = alphas.at(i);
    return block;
}

Picture readDds(core::Bytes file, const core::Limits& limits) {
    Reader reader(file);
    (void)reader.bytes(12, "header");
    Header header;
    header.height = reader.read<std::uint32_t>("height");
    header.width = reader.read<std::uint32_t>("width");
    (void)reader.bytes(64, "header");
    const auto kind = static_cast<Blocks>(reader.read<std::uint32_t>("format"));
    if (kind != Blocks::dxt1 && kind != Blocks::dxt3 && kind != Blocks::dxt5)
        throw DecodeError("is a DDS image of an unsupported kind, expected DXT1, DXT3 or DXT5");
    constexpr std::uint64_t kPixels = 128;  // offset of the pixels
    const std::uint64_t blocksAcross = (header.width + 3) / 4;
    const std::uint64_t blocksDown = (header.height + 3) / 4;
    header.leastSize = kPixels + blocksAcross * blocksDown * (kind == Blocks::dxt1 ? 8 : 16);
    check(header, file, limits);
    reader = Reader(file).at(kPixels, "pixels");
    Picture picture{static_cast<std::uint32_t>(header.width), static_cast<std::uint32_t>(header.height), {}};
    picture.pixels.resize(std::size_t{picture.width} * picture.height);
    for (std::uint32_t top = 0; top < picture.height; top += 4)
        for (std::uint32_t left = 0; left < picture.width; left += 4) {
            const Block block = readBlock(reader, kind);
            for (std::uint32_t i = 0; i < block.size(); ++i)
                if (const std::uint32_t x = left + i % 4, y = top + i / 4; x < picture.width && y < picture.height)
                    picture.at(x, y) = block.at(i);
        }
    return picture;
}

}  // namespace

Picture readPictureFile(core::Bytes file, const core::Limits& limits) {
    if (beginsLike(file, "DDS "))
        return readDds(file, limits);
    if (beginsLike(file, "\x89PNG"))
        return decodePng(file, limits);
    if (!beginsLike(file, "BM") && !beginsLike(file, "\xFF\xD8\xFF") && !isTga(file))
        throw DecodeError("is not a supported image (PNG, JPEG, TGA, BMP, DDS)");
    check(headerOf(file), file, limits);
    return readThroughStb(file);
}

}  // namespace reanima::pictures
