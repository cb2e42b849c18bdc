#include "formats/ff7/materials.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/text.h"

namespace reanima::ff7 {

namespace {

constexpr std::uint32_t kBlendBit = 0x400;
constexpr std::uint32_t kBothSidesBit = 0x4000;
constexpr std::array<std::string_view, 4> kBlendNames = {"_average", "_additive", "_subtractive", "_quarter"};

/// True if a record sets this bit to 1.
bool isSet(const RenderState& state, std::uint32_t bit) { return (state.options & state.features & bit) != 0; }

/// The mean colour of the neighbouring texels that are visible. Empty if there are none.
std::optional<std::array<std::uint8_t, 3>> colorAround(const core::Image& image, std::uint32_t x, std::uint32_t y) {
    std::array<std::uint32_t, 3> sum{};
    std::uint32_t count = 0;
    for (std::uint32_t row = y + image.height - 1; row <= y + image.height + 1; ++row)
        for (std::uint32_t column = x + image.width - 1; column <= x + image.width + 1; ++column) {
            const std::size_t texel = 4 * (std::size_t{row % image.height} * image.width + column % image.width);
            if (image.rgba[texel + 3] == 0)
                continue;
            ++count;
            for (std::size_t part = 0; part < 3; ++part)
                sum[part] += image.rgba[texel + part];
        }
    if (count == 0)
        return std::nullopt;
    return std::array<std::uint8_t, 3>{static_cast<std::uint8_t>(sum[0] / count),
                                       static_cast<std::uint8_t>(sum[1] / count),
                                       static_cast<std::uint8_t>(sum[2] / count)};
}

bool isOpaque(const core::Image& image) {
    std::uint8_t all = kOpaque;
    for (std::size_t alpha = 3; alpha < image.rgba.size(); alpha += 4)
        all &= image.rgba[alpha];
    return all == kOpaque;
}

core::AlphaMode alphaModeFor(const core::Image& image) {
    if (isOpaque(image))
        return core::AlphaMode::opaque;
    for (std::size_t alpha = 3; alpha < image.rgba.size(); alpha += 4)
        if (image.rgba[alpha] != 0 && image.rgba[alpha] != kOpaque)
            return core::AlphaMode::blend;
    return core::AlphaMode::mask;
}

}  // namespace

std::optional<std::uint32_t> blendOf(const RenderState& state) {
    return state.blendMode < kBlendNames.size() ? std::optional(state.blendMode) : std::nullopt;
}

bool blendFlag(const RenderState& state) { return isSet(state, kBlendBit); }

bool isDoubleSided(const RenderState& state) { return isSet(state, kBothSidesBit); }

float vertexAlphaOf(const RenderState& state) {
    if (state.blendMode != 0 && state.blendMode != 3)
        return 1;
    return static_cast<float>(std::min<std::uint32_t>(state.vertexAlpha, kOpaque)) / static_cast<float>(kOpaque);
}

core::Image materialImage(const Texture& texture, const std::string& name) {
    core::Image image = imageOf(texture, 0);
    image.name = name;
    if (isOpaque(image))
        return image;
    for (std::uint32_t y = 0; y < image.height; ++y)
        for (std::uint32_t x = 0; x < image.width; ++x) {
            const std::size_t texel = 4 * (std::size_t{y} * image.width + x);
            if (image.rgba[texel + 3] != 0)
                continue;
            if (const auto color =
                    colorAround(image, x, y))  // visible texels never change, so they can be averaged in place
                std::ranges::copy(*color, image.rgba.begin() + static_cast<std::ptrdiff_t>(texel));
        }
    return image;
}

std::uint32_t Materials::imageOf(std::size_t texture) {
    const ModelTexture& source = textures_[texture];
    const auto [known, isNew] = imageIndices_.try_emplace(texture, static_cast<std::uint32_t>(images_.size()));
    if (isNew) {
        images_.push_back(materialImage(*source.texture, source.image));
        alphaModes_.push_back(alphaModeFor(images_.back()));
    }
    return known->second;
}

core::AlphaMode Materials::alphaModeOf(const core::Material& material, const Key& key) const {
    if (key.blend)
        return core::AlphaMode::blend;
    return material.image ? alphaModes_[*material.image] : core::AlphaMode::opaque;
}

std::uint32_t Materials::of(const Key& key) {
    const auto [known, isNew] = indices_.try_emplace(key, static_cast<std::uint32_t>(materials_.size()));
    if (!isNew)
        return known->second;
    core::Material& material = materials_.emplace_back();
    keys_.push_back(key);
    if (key.texture)
        material.image = imageOf(*key.texture);
    material.filter = filter_;
    material.alphaMode = alphaModeOf(material, key);
    material.doubleSided = key.isDoubleSided;
    material.unlit = key.isUnlit;
    if (key.blend)
        material.extras = {{"ff7", core::Properties{{"blend", *key.blend}}}};
    return known->second;
}

void Materials::addNames() {
    core::UniqueNames unique;
    for (std::size_t i = 0; i < materials_.size(); ++i) {
        const Key& key = keys_[i];
        std::string name = materials_[i].image ? images_[*materials_[i].image].name : stem_ + "_colors";
        if (key.blend)
            name += kBlendNames[*key.blend];
        if (key.isDoubleSided)
            name += "_double";
        Key other = key;
        other.isUnlit = !key.isUnlit;
        if (indices_.contains(other))
            name += key.isUnlit ? "_unlit" : "_lit";
        materials_[i].name = unique.unique(name);
    }
}

void Materials::moveTo(core::Asset& asset) {
    addNames();
    asset.materials = std::move(materials_);
    asset.images = std::move(images_);
}

}  // namespace reanima::ff7
