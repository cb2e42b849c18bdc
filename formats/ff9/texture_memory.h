/// The texture memory of the PlayStation, as textures are loaded into it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tim.h"

namespace reanima::ff9 {

class TextureMemory {
  public:
    static constexpr std::uint32_t kWidth = 1024;  ///< words
    static constexpr std::uint32_t kHeight = 512;  ///< rows

    TextureMemory() : words_(std::size_t{kWidth} * kHeight) {}

    struct Word {
        std::uint16_t value = 0;
        std::uint16_t owner = 0;  ///< number of the texture that it comes from, from 1; 0: never loaded
    };

    /// Writes both blocks of a texture where they say, around the edges; later ones overwrite.
    void load(const Tim& tim, std::uint16_t owner);

    /// The word at a place, around the edges.
    [[nodiscard]] const Word& at(std::uint32_t x, std::uint32_t y) const {
        return words_[y % kHeight * kWidth + x % kWidth];
    }

  private:
    void load(const TimBlock& block, std::uint16_t owner);

    std::vector<Word> words_;
};

}  // namespace reanima::ff9
