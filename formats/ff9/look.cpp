#include "formats/ff9/look.h"

#include <algorithm>

namespace reanima::ff9 {

namespace {

Placement placementOf(const Look& look) {
    if (look.placement)
        return *look.placement;
    const bool haveColors = std::all_of(look.textures.begin(), look.textures.end(), [](const Texture& texture) {
        return !texture.tim || texture.tim->clut.has_value();
    });
    return haveColors ? Placement::place : Placement::memory;
}

/// True if the texture can be shown without others.
bool isPicture(const psx::Tim& tim) {
    return tim.mode < psx::kHighestTimMode && !tim.image.words.empty() &&
           (psx::bitsOf(tim.mode) == psx::kWordBits || tim.clut);
}

}  // namespace

std::uint64_t memoryOf(const std::vector<Texture>& textures) {
    std::uint64_t words = 0;
    for (const Texture& texture : textures)
        if (texture.tim)
            words += texture.tim->image.words.size() + (texture.tim->clut ? texture.tim->clut->words.size() : 0);
    return words * sizeof(std::uint16_t);
}

MaterialTexels::MaterialTexels(const Look& look, Origin origin)
    : look_(look), placement_(placementOf(look)), origin_(origin) {
    if (placement_ != Placement::memory || look.textures.empty())
        return;
    memory_.emplace();
    for (std::size_t i = 0; i < look.textures.size(); ++i)
        if (look.textures[i].tim)
            memory_->load(*look.textures[i].tim, static_cast<std::uint16_t>(i + 1));
}

MaterialTexels::State MaterialTexels::stateOf(std::uint8_t material) const {
    if (look_.materials && material >= look_.materials->size())
        return State::noNumber;
    if (placement_ == Placement::memory)
        return !look_.materials ? State::noRecord : memory_ ? State::there : State::noTexture;
    const bool isThere =
        material < look_.textures.size() && look_.textures[material].tim && isPicture(*look_.textures[material].tim);
    return isThere ? State::there : State::noTexture;
}

const MaterialPlace* MaterialTexels::placeOf(std::uint8_t material) const {
    return look_.materials && material < look_.materials->size() ? &(*look_.materials)[material] : nullptr;
}

std::array<std::uint8_t, 2> MaterialTexels::placeOf(std::uint8_t material, std::array<std::uint8_t, 2> uv) const {
    const MaterialPlace* place = placeOf(material);
    // Fields add a material's window while drawing. Battles add it once to all coordinates on loading. Separate
    // pictures have no window.
    const bool isAdded = origin_ == Origin::consoleMemory;
    const int sign = placement_ == Placement::memory ? (isAdded ? 0 : 1) : (isAdded ? -1 : 0);
    if (place != nullptr)
        for (std::size_t axis = 0; axis < 2; ++axis)
            uv[axis] = static_cast<std::uint8_t>(uv[axis] + sign * place->window[axis]);
    return uv;
}

std::array<std::uint32_t, 2> MaterialTexels::sizeOf(std::uint8_t material) const {
    const psx::Tim& tim = *look_.textures[material].tim;
    return {psx::pixelWidthOf(tim), tim.image.height};
}

bool MaterialTexels::hasDeep(std::uint8_t material) const {
    const MaterialPlace* place = placeOf(material);
    return placement_ == Placement::memory && place != nullptr && psx::depthOf(place->page) == 0;
}

MaterialTexels::Texel MaterialTexels::at(std::uint8_t material, std::uint32_t x, std::uint32_t y, Depth depth) const {
    if (placement_ == Placement::memory)
        return inMemory((*look_.materials)[material], x, y, depth);
    const psx::Tim& tim = *look_.textures[material].tim;
    const auto owner = static_cast<std::uint16_t>(material + 1);
    const std::uint32_t bits = psx::bitsOf(tim.mode);
    const std::uint16_t word = tim.image.words[std::size_t{y} * tim.image.width + x * bits / psx::kWordBits];
    if (bits == psx::kWordBits)
        return {word, owner};
    const std::uint32_t index = psx::indexIn(word, x, bits);
    return index < tim.clut->words.size() ? Texel{tim.clut->words[index], owner} : Texel{};
}

MaterialTexels::Texel MaterialTexels::inMemory(const MaterialPlace& material, std::uint32_t x, std::uint32_t y,
                                               Depth depth) const {
    const std::uint16_t page = depth == Depth::deep ? psx::deepPage(material.page) : material.page;
    return memory_->texel({page, material.clut}, x, y);
}

}  // namespace reanima::ff9
