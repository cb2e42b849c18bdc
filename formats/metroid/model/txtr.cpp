#include "formats/metroid/model/txtr.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/decode_watch.h"
#include "formats/metroid/model/texels.h"
#include "formats/metroid/reading.h"

namespace reanima::metroid {

namespace {

using core::Code;
using core::DecodeError;

/// @throws DecodeError unless the word begins a texture of these games; the message names other games
void refuseOtherGames(std::uint32_t word, const core::Place& place) {
    if (word == kRemasteredMagic)
        throw DecodeError(place,
                          "is 'RFRM', a texture of Metroid Prime Remastered or a later game, which is not supported");
    if (word > kLastTexelFormat)
        throw DecodeError(place, fmt::format("is {}, expected 0 to {}", word, kLastTexelFormat));
}

std::uint16_t readSide(Reader& file, std::string_view name) {
    const Field<std::uint16_t> side = readField<std::uint16_t>(file, name);
    if (side.value == 0)
        throw DecodeError(side.place, "is 0");
    return side.value;
}

Palette readPalette(Reader& file) {
    const auto scope = file.enter("palette");
    Palette palette;
    const Field<std::uint32_t> format = readField<std::uint32_t>(file, "type");
    if (format.value > kLastPaletteFormat)
        throw DecodeError(format.place, fmt::format("is {}, expected 0 to {}", format.value, kLastPaletteFormat));
    palette.format = static_cast<PaletteFormat>(format.value);
    palette.width = file.read<std::uint16_t>("width");
    palette.height = file.read<std::uint16_t>("height");
    const std::uint64_t count = std::uint64_t{palette.width} * palette.height;
    if (count > file.remaining() / sizeof(std::uint16_t))
        throw DecodeError(file.place("colors"),
                          fmt::format("are {} x {}, but the file has room for only {}", palette.width, palette.height,
                                      file.remaining() / sizeof(std::uint16_t)));
    palette.colors.reserve(static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count; ++i)
        palette.colors.push_back(file.read<std::uint16_t>("colors"));
    return palette;
}

/// The complete levels, up to the stated number.
struct Levels {
    std::uint32_t count = 0;
    std::uint64_t bytes = 0;
};

Levels levelsOf(const Txtr& txtr) {
    Levels levels;
    std::uint32_t width = txtr.width;
    std::uint32_t height = txtr.height;
    for (; levels.count < std::max(1U, txtr.levels); ++levels.count) {
        const std::uint64_t more = blockBytes(txtr.format, width, height);
        if (levels.bytes + more > txtr.data.size())
            break;
        levels.bytes += more;
        width = std::max(1U, width / 2);
        height = std::max(1U, height / 2);
    }
    return levels;
}

void warnOfDoubts(const Txtr& txtr, std::uint64_t dataOffset, core::Diagnostics& diagnostics) {
    constexpr std::uint16_t kUsual = 1024;
    if (std::max(txtr.width, txtr.height) > kUsual)
        diagnostics.warn(Code::rareLayout, {"width", 4},
                         fmt::format("{} x {} texels are more than in any texture of the games, expected up to {}",
                                     txtr.width, txtr.height, kUsual));
    if (const std::uint64_t needed = pictureBytes(txtr); needed > txtr.data.size())
        diagnostics.warn(Code::truncated, {"data", dataOffset},
                         fmt::format("{} of {} bytes of the image are missing; they are read as zeros",
                                     needed - txtr.data.size(), needed));
    const Levels levels = levelsOf(txtr);
    const core::Bytes rest = core::Bytes(txtr.data).subspan(static_cast<std::size_t>(levels.bytes));
    const auto isFilling = [](std::uint8_t byte) { return byte == 0 || byte == 0xFF; };
    if (levels.count == 0 || std::ranges::all_of(rest, isFilling))
        return;  // smaller levels may be missing, but none may be incomplete
    const core::Place end{"data", dataOffset + levels.bytes};
    if (levels.count < txtr.levels)
        diagnostics.warn(Code::truncated, end,
                         fmt::format("level {} of {} is incomplete", levels.count + 1, txtr.levels));
    else
        diagnostics.warn(Code::trailingBytes, end, fmt::format("{} bytes follow the levels", rest.size()));
}

Txtr readTxtr(core::Bytes bytes, std::uint64_t mostTexels) {
    Reader file(bytes);
    const Field<std::uint32_t> format = readField<std::uint32_t>(file, "type");
    refuseOtherGames(format.value, format.place);
    Txtr txtr;
    txtr.format = static_cast<TexelFormat>(format.value);
    const core::Place sides = file.place("width");
    txtr.width = readSide(file, "width");
    txtr.height = readSide(file, "height");
    txtr.levels = file.read<std::uint32_t>("mipmaps");
    if (const std::uint64_t texels = std::uint64_t{txtr.width} * txtr.height; texels > mostTexels)
        throw DecodeError(
            sides, fmt::format("{} x {} texels are more than the limit of {}", txtr.width, txtr.height, mostTexels),
            DecodeError::Kind::limit);
    if (hasPalette(txtr.format))
        txtr.palette = readPalette(file);
    const core::Place data = file.place("data");
    const core::Bytes rest = file.rest();
    if (const std::uint64_t needed = pictureBytes(txtr); needed > rest.size() + kMostMissing)
        throw DecodeError(data, fmt::format("has {} bytes, but the image needs {}", rest.size(), needed));
    txtr.data.assign(rest.begin(), rest.end());
    return txtr;
}

std::uint64_t mostTexels(const core::Limits& limits) {
    constexpr std::uint64_t kMost = 16U << 20U;  // 64 MiB of red, green, blue and alpha
    return std::min(kMost, limits.picturePixels);
}

}  // namespace

std::string_view nameOf(TexelFormat format) {
    constexpr std::array<std::string_view, kLastTexelFormat + 1> kNames = {
        "I4", "I8", "IA4", "IA8", "C4", "C8", "C14X2", "RGB565", "RGB5A3", "RGBA8", "CMPR"};
    return kNames.at(static_cast<std::size_t>(format));
}

bool hasPalette(TexelFormat format) {
    return format == TexelFormat::c4 || format == TexelFormat::c8 || format == TexelFormat::c14x2;
}

std::uint64_t pictureBytes(const Txtr& txtr) { return blockBytes(txtr.format, txtr.width, txtr.height); }

std::uint64_t levelBytes(const Txtr& txtr) { return levelsOf(txtr).bytes; }

Txtr decodeTxtr(core::Bytes file, const core::Limits& limits, core::Diagnostics& diagnostics) {
    core::tellDecoding("metroid texture", file);
    Txtr txtr = readTxtr(file, mostTexels(limits));
    warnOfDoubts(txtr, file.size() - txtr.data.size(), diagnostics);
    return txtr;
}

core::ByteVector encodeTxtr(const Txtr& txtr) {
    Writer out;
    out.write(static_cast<std::uint32_t>(txtr.format));
    out.write(txtr.width);
    out.write(txtr.height);
    out.write(txtr.levels);
    if (txtr.palette) {
        out.write(static_cast<std::uint32_t>(txtr.palette->format));
        out.write(txtr.palette->width);
        out.write(txtr.palette->height);
        for (const std::uint16_t color : txtr.palette->colors)
            out.write(color);
    }
    out.write(core::Bytes(txtr.data));
    return out.take();
}

core::Image imageOf(const Txtr& txtr, Rows rows, const core::Limits& limits, core::Diagnostics& diagnostics) {
    const std::uint64_t texels = std::uint64_t{txtr.width} * txtr.height;
    core::requireMemory(txtr.data.size() + 4 * texels, limits, {"data", std::nullopt});
    core::Image image{{}, txtr.width, txtr.height, {}};
    image.format = nameOf(txtr.format);
    image.levels = std::max(1U, txtr.levels);
    const std::uint64_t outside = decodeTexels(txtr, rows, image.rgba);
    if (outside > 0)
        diagnostics.warn(Code::countMismatch, {"data", std::nullopt},
                         fmt::format("{} texels refer to none of the {} colors of the palette and become transparent",
                                     outside, txtr.palette->colors.size()));
    return image;
}

bool isTxtr(core::Bytes file) {
    try {
        const Txtr txtr = readTxtr(file, mostTexels({}));
        const std::uint64_t levels = levelBytes(txtr);
        if (levels < pictureBytes(txtr))
            return false;
        const core::Bytes rest = core::Bytes(txtr.data).subspan(static_cast<std::size_t>(levels));
        return isPadding(rest, file.size());
    } catch (const DecodeError&) {
        return false;
    }
}

}  // namespace reanima::metroid
