#include "formats/ff9/texture_memory.h"

namespace reanima::ff9 {

void TextureMemory::load(const Tim& tim, std::uint16_t owner) {
    if (tim.clut)
        load(*tim.clut, owner);
    load(tim.image, owner);
}

void TextureMemory::load(const TimBlock& block, std::uint16_t owner) {
    auto word = block.words.begin();
    for (std::uint32_t row = 0; row < block.height; ++row)
        for (std::uint32_t column = 0; column < block.width; ++column)
            words_[(block.y + row) % kHeight * kWidth + (block.x + column) % kWidth] = {*word++, owner};
}

}  // namespace reanima::ff9
