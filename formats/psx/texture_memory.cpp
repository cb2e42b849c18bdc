#include "formats/psx/texture_memory.h"

namespace reanima::psx {

void appendColor(std::vector<std::uint8_t>& rgba, std::uint16_t color, std::uint8_t alpha) {
    constexpr unsigned kChannelBits = 5;
    constexpr unsigned kChannelMask = 31;
    for (unsigned channel = 0; channel < 3; ++channel) {
        const unsigned five = color >> channel * kChannelBits & kChannelMask;
        rgba.push_back(static_cast<std::uint8_t>(five << 3U | five >> 2U));
    }
    rgba.push_back(alpha);
}

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

TextureMemory::Texel TextureMemory::texel(const PageAndClut& place, std::uint32_t x, std::uint32_t y) const {
    const std::uint32_t bits = bitsOf(depthOf(place.page));
    const auto [left, top] = placeOfPage(place.page);
    const Word& word = at(left + x * bits / kWordBits, top + y);
    if (bits == kWordBits || word.owner == 0)
        return {word.value, word.owner};
    const auto [firstColor, row] = placeOfClut(place.clut);
    const Word& color = at(firstColor + indexIn(word.value, x, bits), row);
    return {color.value, color.owner == 0 ? color.owner : word.owner};
}

}  // namespace reanima::psx
