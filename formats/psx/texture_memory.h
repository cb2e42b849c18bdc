/// The texture memory of the PlayStation with loaded textures.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "tim.h"

namespace reanima::psx {

/// Bits of a word of the memory.
inline constexpr std::uint32_t kWordBits = 16;

/// Bits of a texel of this depth: 4, 8 or 16.
[[nodiscard]] constexpr std::uint32_t bitsOf(unsigned depth) { return depth == 0 ? 4 : depth == 1 ? 8 : kWordBits; }

/// The palette index of texel `x`, which is stored in `bits` bits of this word.
[[nodiscard]] constexpr std::uint32_t indexIn(std::uint16_t word, std::uint32_t x, std::uint32_t bits) {
    return word >> x % (kWordBits / bits) * bits & ((1U << bits) - 1);
}

/// Appends the red, green and blue of a stored colour, which have 5 bits each, and an alpha.
void appendColor(std::vector<std::uint8_t>& rgba, std::uint16_t color, std::uint8_t alpha);

/// The page and CLUT of a face, as the console's own words.
struct PageAndClut {
    std::uint16_t page = 0;
    std::uint16_t clut = 0;

    friend auto operator<=>(const PageAndClut&, const PageAndClut&) = default;
};

/// The place where a page or a CLUT begins.
[[nodiscard]] constexpr std::array<std::uint32_t, 2> placeOfPage(std::uint16_t page) {
    return {(page & 0xFU) * 64, (page >> 4U & 1U) * 256};
}
[[nodiscard]] constexpr std::array<std::uint32_t, 2> placeOfClut(std::uint16_t clut) {
    return {(clut & 0x3FU) * 16, clut >> 6U & 0x1FFU};
}
[[nodiscard]] constexpr unsigned depthOf(std::uint16_t page) { return page >> 7U & 3U; }
/// The same page with 8 bits per texel instead of 4.
[[nodiscard]] constexpr std::uint16_t deepPage(std::uint16_t page) { return page | 0x80U; }

class TextureMemory {
  public:
    static constexpr std::uint32_t kWidth = 1024;  ///< words
    static constexpr std::uint32_t kHeight = 512;  ///< rows

    TextureMemory() : words_(std::size_t{kWidth} * kHeight) {}

    struct Word {
        std::uint16_t value = 0;
        std::uint16_t owner = 0;  ///< number of its texture, from 1; 0: never loaded
    };

    /// Writes both blocks of a texture at their places, wrapping around. Later textures overwrite earlier ones.
    void load(const Tim& tim, std::uint16_t owner);

    /// The word at a place; coordinates wrap around.
    [[nodiscard]] const Word& at(std::uint32_t x, std::uint32_t y) const {
        return words_[y % kHeight * kWidth + x % kWidth];
    }

    struct Texel {
        std::uint16_t color = 0;  ///< as stored
        std::uint16_t owner = 0;  ///< number of the texture, from 1; 0: never loaded
    };
    /// @param x, y the texel's place on the page
    [[nodiscard]] Texel texel(const PageAndClut& place, std::uint32_t x, std::uint32_t y) const;

  private:
    void load(const TimBlock& block, std::uint16_t owner);

    std::vector<Word> words_;
};

}  // namespace reanima::psx
