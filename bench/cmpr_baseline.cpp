#include "bench/cmpr_baseline.h"

#include <array>
#include <cstddef>

namespace reanima::bench {

namespace {

using Color = std::array<std::uint8_t, 4>;

Color colorOf(unsigned word) {
    const unsigned r = word >> 11U;
    const unsigned g = word >> 5U & 63U;
    const unsigned b = word & 31U;
    return {static_cast<std::uint8_t>(r << 3U | r >> 2U), static_cast<std::uint8_t>(g << 2U | g >> 4U),
            static_cast<std::uint8_t>(b << 3U | b >> 2U), 255};
}

std::array<Color, 4> colorsOf(const std::uint8_t* cell) {
    const unsigned first = static_cast<unsigned>(cell[0]) << 8U | cell[1];
    const unsigned second = static_cast<unsigned>(cell[2]) << 8U | cell[3];
    std::array<Color, 4> colors = {colorOf(first), colorOf(second), Color{}, Color{}};
    for (std::size_t i = 0; i < 3; ++i) {
        const unsigned a = colors[0][i];
        const unsigned b = colors[1][i];
        colors[2][i] = static_cast<std::uint8_t>(first > second ? (5 * a + 3 * b) >> 3U : (a + b) >> 1U);
        colors[3][i] = static_cast<std::uint8_t>(first > second ? (3 * a + 5 * b) >> 3U : (a + b) >> 1U);
    }
    colors[2][3] = 255;
    colors[3][3] = first > second ? 255 : 0;
    return colors;
}

}  // namespace

std::vector<std::uint8_t> decodeCmprPlainly(const std::uint8_t* data, std::uint32_t width, std::uint32_t height) {
    std::vector<std::uint8_t> rgba(std::size_t{4} * width * height);
    for (std::uint32_t top = 0; top < height; top += 8)
        for (std::uint32_t left = 0; left < width; left += 8)
            for (std::uint32_t part = 0; part < 4; ++part, data += 8) {
                const std::array<Color, 4> colors = colorsOf(data);
                for (std::uint32_t i = 0; i < 16; ++i) {
                    const std::uint32_t x = left + part % 2 * 4 + i % 4;
                    const std::uint32_t y = top + part / 2 * 4 + i / 4;
                    if (x >= width || y >= height)
                        continue;
                    const Color& color = colors[data[4 + i / 4] >> (6 - 2 * (i % 4)) & 3U];
                    const std::size_t to = 4 * (std::size_t{height - 1 - y} * width + x);
                    for (std::size_t k = 0; k < 4; ++k)
                        rgba[to + k] = color[k];
                }
            }
    return rgba;
}

}  // namespace reanima::bench
