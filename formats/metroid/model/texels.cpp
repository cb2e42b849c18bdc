#include "formats/metroid/model/texels.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace reanima::metroid {

namespace {

/// Red, green, blue and alpha, in the order of memory.
using Rgba = std::array<std::uint8_t, 4>;

struct BlockShape {
    std::uint32_t width;
    std::uint32_t height;
    std::uint32_t bytes;
};

BlockShape shapeOf(TexelFormat format) {
    switch (format) {
        case TexelFormat::i4:
        case TexelFormat::c4:
        case TexelFormat::cmpr:
            return {8, 8, 32};
        case TexelFormat::i8:
        case TexelFormat::ia4:
        case TexelFormat::c8:
            return {8, 4, 32};
        case TexelFormat::rgba8:
            return {4, 4, 64};
        default:
            return {4, 4, 32};
    }
}

// A channel's bits, repeated until they fill a byte.
constexpr std::uint8_t widened3(unsigned bits) {
    return static_cast<std::uint8_t>(bits << 5U | bits << 2U | bits >> 1U);
}
constexpr std::uint8_t widened4(unsigned bits) { return static_cast<std::uint8_t>(bits * 17); }
constexpr std::uint8_t widened5(unsigned bits) { return static_cast<std::uint8_t>(bits << 3U | bits >> 2U); }
constexpr std::uint8_t widened6(unsigned bits) { return static_cast<std::uint8_t>(bits << 2U | bits >> 4U); }

constexpr std::uint8_t kOpaque = 255;

Rgba fromIa8(std::uint16_t word) {
    const auto grey = static_cast<std::uint8_t>(word);
    return {grey, grey, grey, static_cast<std::uint8_t>(word >> 8U)};
}

Rgba fromRgb565(std::uint16_t word) {
    return {widened5(word >> 11U), widened6(word >> 5U & 0x3FU), widened5(word & 0x1FU), kOpaque};
}

Rgba fromRgb5a3(std::uint16_t word) {
    if ((word & 0x8000U) != 0)
        return {widened5(word >> 10U & 0x1FU), widened5(word >> 5U & 0x1FU), widened5(word & 0x1FU), kOpaque};
    return {widened4(word >> 8U & 0xFU), widened4(word >> 4U & 0xFU), widened4(word & 0xFU),
            widened3(word >> 12U & 7U)};
}

std::uint16_t wordAt(const std::uint8_t* bytes) { return static_cast<std::uint16_t>(bytes[0] << 8U | bytes[1]); }

/// The colours of a palette, followed by the colour for indices that it lacks.
class Colors {
  public:
    explicit Colors(const Palette& palette) {
        colors_.reserve(palette.colors.size());
        for (const std::uint16_t word : palette.colors)
            colors_.push_back(palette.format == PaletteFormat::ia8      ? fromIa8(word)
                              : palette.format == PaletteFormat::rgb565 ? fromRgb565(word)
                                                                        : fromRgb5a3(word));
    }

    [[nodiscard]] Rgba at(std::uint32_t number) {
        if (number < colors_.size())
            return colors_[number];
        ++outside_;
        return {};
    }
    [[nodiscard]] std::uint64_t outside() const { return outside_; }

  private:
    std::vector<Rgba> colors_;
    std::uint64_t outside_ = 0;
};

/// An image that is written in either order of rows. Texels outside of it are ignored.
class Canvas {
  public:
    Canvas(std::uint32_t width, std::uint32_t height, Rows rows, std::vector<std::uint8_t>& rgba)
        : width_(width), height_(height), rows_(rows), rgba_(rgba) {
        rgba_.resize(std::size_t{4} * width * height);
    }

    [[nodiscard]] std::uint32_t width() const { return width_; }
    [[nodiscard]] std::uint32_t height() const { return height_; }

    /// The first texel of a row of the texture.
    [[nodiscard]] std::uint8_t* row(std::uint32_t y) const {
        return rgba_.data() + std::size_t{4} * width_ * (rows_ == Rows::topDown ? y : height_ - 1 - y);
    }

  private:
    std::uint32_t width_;
    std::uint32_t height_;
    Rows rows_;
    std::vector<std::uint8_t>& rgba_;
};

/// Calls texel(block, i) for every texel of the picture. i counts the texels of a block row by row.
template <typename Texel>
void forEachTexel(const Canvas& canvas, const BlockShape& shape, const std::uint8_t* block, const Texel& texel) {
    for (std::uint32_t top = 0; top < canvas.height(); top += shape.height)
        for (std::uint32_t left = 0; left < canvas.width(); left += shape.width, block += shape.bytes) {
            const std::uint32_t height = std::min(shape.height, canvas.height() - top);
            const std::uint32_t width = std::min(shape.width, canvas.width() - left);
            for (std::uint32_t y = 0; y < height; ++y) {
                std::uint8_t* to = canvas.row(top + y) + std::size_t{4} * left;
                for (std::uint32_t x = 0; x < width; ++x, to += 4) {
                    const Rgba color = texel(block, y * shape.width + x);
                    std::memcpy(to, color.data(), color.size());
                }
            }
        }
}

unsigned nibble(const std::uint8_t* block, std::uint32_t i) {
    return i % 2 == 0 ? block[i / 2] >> 4U : block[i / 2] & 0xFU;
}

void decodePlain(TexelFormat format, const Canvas& canvas, const std::uint8_t* data) {
    const BlockShape shape = shapeOf(format);
    const auto each = [&](const auto& texel) { forEachTexel(canvas, shape, data, texel); };
    const auto eachWord = [&](Rgba (*color)(std::uint16_t)) {
        each([color](const std::uint8_t* block, std::uint32_t i) { return color(wordAt(block + 2 * i)); });
    };
    switch (format) {
        case TexelFormat::i4:
            return each([](const std::uint8_t* block, std::uint32_t i) {
                const std::uint8_t v = widened4(nibble(block, i));
                return Rgba{v, v, v, v};
            });
        case TexelFormat::i8:
            return each([](const std::uint8_t* block, std::uint32_t i) {
                return Rgba{block[i], block[i], block[i], block[i]};
            });
        case TexelFormat::ia4:
            return each([](const std::uint8_t* block, std::uint32_t i) {
                const std::uint8_t grey = widened4(block[i] & 0xFU);
                return Rgba{grey, grey, grey, widened4(block[i] >> 4U)};
            });
        case TexelFormat::ia8:
            return eachWord(fromIa8);
        case TexelFormat::rgb565:
            return eachWord(fromRgb565);
        case TexelFormat::rgb5a3:
            return eachWord(fromRgb5a3);
        default:  // RGBA8: alpha and red of all texels, then green and blue
            return each([](const std::uint8_t* block, std::uint32_t i) {
                constexpr std::size_t kHalf = 32;
                return Rgba{block[2 * i + 1], block[kHalf + 2 * i], block[kHalf + 2 * i + 1], block[2 * i]};
            });
    }
}

std::uint64_t decodeNumbers(const Txtr& txtr, const Canvas& canvas, const std::uint8_t* data) {
    const BlockShape shape = shapeOf(txtr.format);
    Colors colors(*txtr.palette);
    const auto each = [&](const auto& number) {
        forEachTexel(canvas, shape, data,
                     [&](const std::uint8_t* block, std::uint32_t i) { return colors.at(number(block, i)); });
    };
    if (txtr.format == TexelFormat::c4)
        each(nibble);
    else if (txtr.format == TexelFormat::c8)
        each([](const std::uint8_t* block, std::uint32_t i) { return std::uint32_t{block[i]}; });
    else
        each([](const std::uint8_t* block, std::uint32_t i) { return wordAt(block + 2 * i) & 0x3FFFU; });
    return colors.outside();
}

// ---------------------------------------------------------------------------------------------------------------------
// CMPR

constexpr std::uint32_t kCell = 4;     // side of a cell in texels; a block has four cells
constexpr std::size_t kCellBytes = 8;  // two colours, and one byte per row
constexpr std::uint32_t kCmprSide = 2 * kCell;

/// The four colours of a cell, each as the four bytes of a texel in memory.
std::array<std::uint32_t, 4> colorsOfCell(const std::uint8_t* cell) {
    const std::uint16_t words[2] = {wordAt(cell), wordAt(cell + 2)};  // NOLINT: two
    const Rgba a = fromRgb565(words[0]);
    const Rgba b = fromRgb565(words[1]);
    Rgba c{0, 0, 0, kOpaque};
    Rgba d{0, 0, 0, 0};
    if (words[0] > words[1]) {
        for (std::size_t i = 0; i < 3; ++i) {
            c[i] = static_cast<std::uint8_t>((5 * a[i] + 3 * b[i]) >> 3U);
            d[i] = static_cast<std::uint8_t>((3 * a[i] + 5 * b[i]) >> 3U);
        }
        d[3] = kOpaque;
    } else {
        for (std::size_t i = 0; i < 3; ++i)
            c[i] = d[i] = static_cast<std::uint8_t>((a[i] + b[i]) >> 1U);
    }
    return {std::bit_cast<std::uint32_t>(a), std::bit_cast<std::uint32_t>(b), std::bit_cast<std::uint32_t>(c),
            std::bit_cast<std::uint32_t>(d)};
}

/// A row of a cell. The highest two bits are the left texel.
std::array<std::uint32_t, kCell> rowOfCell(const std::array<std::uint32_t, 4>& colors, unsigned bits) {
    return {colors[bits >> 6U], colors[bits >> 4U & 3U], colors[bits >> 2U & 3U], colors[bits & 3U]};
}

/// Writes a cell that is entirely inside the picture, like most cells.
void putWholeCell(const Canvas& canvas, std::uint32_t x, std::uint32_t y, const std::uint8_t* cell) {
    const std::array<std::uint32_t, 4> colors = colorsOfCell(cell);
    for (std::uint32_t row = 0; row < kCell; ++row) {
        const std::array<std::uint32_t, kCell> texels = rowOfCell(colors, cell[kCell + row]);
        std::memcpy(canvas.row(y + row) + std::size_t{4} * x, texels.data(), sizeof texels);
    }
}

void putPartOfCell(const Canvas& canvas, std::uint32_t x, std::uint32_t y, const std::uint8_t* cell) {
    const std::array<std::uint32_t, 4> colors = colorsOfCell(cell);
    for (std::uint32_t row = 0; row < kCell && y + row < canvas.height(); ++row) {
        const std::array<std::uint32_t, kCell> texels = rowOfCell(colors, cell[kCell + row]);
        std::memcpy(canvas.row(y + row) + std::size_t{4} * x, texels.data(),
                    sizeof(std::uint32_t) * std::min(kCell, canvas.width() - x));
    }
}

void decodeCmpr(const Canvas& canvas, const std::uint8_t* data) {
    for (std::uint32_t top = 0; top < canvas.height(); top += kCmprSide)
        for (std::uint32_t left = 0; left < canvas.width(); left += kCmprSide)
            for (std::uint32_t part = 0; part < 4; ++part, data += kCellBytes) {
                const std::uint32_t x = left + part % 2 * kCell;
                const std::uint32_t y = top + part / 2 * kCell;
                if (x + kCell <= canvas.width() && y + kCell <= canvas.height())
                    putWholeCell(canvas, x, y, data);
                else if (x < canvas.width() && y < canvas.height())
                    putPartOfCell(canvas, x, y, data);
            }
}

}  // namespace

std::uint64_t blockBytes(TexelFormat format, std::uint32_t width, std::uint32_t height) {
    const BlockShape shape = shapeOf(format);
    const auto blocks = [](std::uint64_t side, std::uint32_t block) { return (side + block - 1) / block; };
    return blocks(width, shape.width) * blocks(height, shape.height) * shape.bytes;
}

std::uint64_t decodeTexels(const Txtr& txtr, Rows rows, std::vector<std::uint8_t>& rgba) {
    const auto needed = static_cast<std::size_t>(pictureBytes(txtr));
    core::ByteVector filled;
    const std::uint8_t* data = txtr.data.data();
    if (txtr.data.size() < needed) {
        filled = txtr.data;
        filled.resize(needed);
        data = filled.data();
    }
    const Canvas canvas(txtr.width, txtr.height, rows, rgba);
    if (txtr.palette)
        return decodeNumbers(txtr, canvas, data);
    if (txtr.format == TexelFormat::cmpr)
        decodeCmpr(canvas, data);
    else
        decodePlain(txtr.format, canvas, data);
    return 0;
}

}  // namespace reanima::metroid
