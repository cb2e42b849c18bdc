#include "formats/ff8/textures.h"

#include <algorithm>

#include "formats/ff8/offsets.h"

namespace reanima::ff8 {

namespace {

/// The number of texels of this depth in a word.
std::uint32_t perWord(unsigned depth) { return psx::kWordBits / psx::bitsOf(depth); }

}  // namespace

Textures::Textures(const core::LittleEndianReader& section, const core::Limits& limits,
                   core::Diagnostics& diagnostics) {
    if (section.atEnd())
        return;
    const Parts parts = readParts(section, "texture_count", "texture_offsets", 1);
    std::uint64_t bytes = 0;
    for (const std::uint32_t start : parts.starts) {
        core::LittleEndianReader reader = section.at(start, "textures").slice(parts.endOf(start) - start, "textures");
        const auto scope = reader.enter("textures", tims_.size());
        bytes += reader.remaining();  // up to the next texture, since textures may share bytes
        core::requireMemory(bytes, limits, reader.place({}));
        tims_.emplace_back();
        try {
            tims_.back() = psx::decodeTim(reader, diagnostics);
        } catch (const core::DecodeError& error) {
            diagnostics.warn(core::Code::damaged, error);
        }
    }
    if (!tims_.empty())
        memory_.emplace();
    for (std::size_t i = 0; i < tims_.size(); ++i)
        if (tims_[i])
            memory_->load(*tims_[i], 1);
}

std::optional<Textures::Shown> Textures::shownBy(const Face& face) const {
    for (std::size_t texture = 0; texture < tims_.size(); ++texture)
        if (std::optional<Shown> shown = shownInMemory(texture, face))
            return shown;
    return shownByNumber(face);
}

std::optional<Textures::Shown> Textures::shownIn(const PictureKey& key, const Face& face,
                                                 const std::array<std::int64_t, 2>& origin) const {
    const auto [firstColor, row] = psx::placeOfClut(key.clut);
    if (psx::bitsOf(key.depth) < psx::kWordBits && memory_->at(firstColor, row).owner == 0)
        return std::nullopt;
    const std::array<std::uint32_t, 2> size = sizeOf(key);
    Shown shown{key, {}};
    for (std::size_t corner = 0; corner < face.corners; ++corner)
        for (std::size_t axis = 0; axis < 2; ++axis) {
            const std::int64_t place = face.uv[corner][axis] + origin[axis];
            if (place < 0 || place >= size[axis])
                return std::nullopt;
            shown.corners[corner][axis] = static_cast<std::uint8_t>(place);
        }
    return shown;
}

/// Finds texels as the console does: in texture memory, at the places that the textures state.
std::optional<Textures::Shown> Textures::shownInMemory(std::size_t texture, const Face& face) const {
    if (!tims_[texture])
        return std::nullopt;
    const psx::TimBlock& image = tims_[texture]->image;
    const unsigned depth = psx::depthOf(face.texture.page);
    const auto [left, top] = psx::placeOfPage(face.texture.page);
    return shownIn({texture, depth, face.texture.clut}, face,
                   {(std::int64_t{left} - image.x) * perWord(depth), std::int64_t{top} - image.y});
}

/// Finds texels by the number of the texture, which is part of the row of the face's CLUT. The game replaces such pages
/// and CLUTs on loading.
std::optional<Textures::Shown> Textures::shownByNumber(Face face) const {
    constexpr unsigned kNumberBits = 7;
    constexpr unsigned kRowShift = 6;
    constexpr std::uint8_t kLowerHalf = 127;
    const std::size_t texture = tims_.size() == 1 ? 0 : face.texture.clut >> kRowShift & kNumberBits;
    if (texture >= tims_.size() || !tims_[texture] || !tims_[texture]->clut)
        return std::nullopt;
    const psx::Tim& tim = *tims_[texture];
    for (std::array<std::uint8_t, 2>& uv : face.uv)
        uv[1] &= kLowerHalf;
    const auto clut = static_cast<std::uint16_t>(tim.clut->x / 16U | unsigned{tim.clut->y} << kRowShift);
    return shownIn({texture, tim.mode, clut}, face, {0, 0});
}

std::array<std::uint32_t, 2> Textures::sizeOf(const PictureKey& key) const {
    const psx::TimBlock& image = tims_[key.texture]->image;
    constexpr std::uint32_t kSide = 256;  // side of a page: no face shows more of a texture
    return {std::min(image.width * perWord(key.depth), kSide), std::min<std::uint32_t>(image.height, kSide)};
}

std::uint16_t Textures::texel(const PictureKey& key, std::uint32_t x, std::uint32_t y) const {
    const psx::TimBlock& image = tims_[key.texture]->image;
    const std::uint16_t word = image.words[std::size_t{y} * image.width + x / perWord(key.depth)];
    const std::uint32_t bits = psx::bitsOf(key.depth);
    if (bits == psx::kWordBits)
        return word;
    const auto [firstColor, row] = psx::placeOfClut(key.clut);
    return memory_->at(firstColor + psx::indexIn(word, x, bits), row).value;
}

}  // namespace reanima::ff8
