/// Materials and images of Final Fantasy VII's models.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/asset.h"
#include "model_parts.h"

namespace reanima::ff7 {

/// The blend mode of a transparent group, 0 to 3; empty for an opaque group.
[[nodiscard]] std::optional<std::uint32_t> blendOf(const RenderState& state);
/// True if the blend bit is set. If it disagrees with the blend mode, the mode is right.
[[nodiscard]] bool blendFlag(const RenderState& state);
[[nodiscard]] bool isDoubleSided(const RenderState& state);
/// The alpha of all vertices of a group, from 0 to 1.
[[nodiscard]] float vertexAlphaOf(const RenderState& state);

/// A texture with its first palette. Texels of alpha 0 get the mean colour of their neighbours, because filters mix
/// that colour into edges.
[[nodiscard]] core::Image materialImage(const Texture& texture, const std::string& name);

/// Collects the materials of a model, one per combination of settings. Images are made when they are first used.
class Materials {
  public:
    /// @param textures must outlive this object
    /// @param stem base of the names of materials without an image
    Materials(std::span<const ModelTexture> textures, const std::string& stem, core::Filter filter)
        : textures_(textures), stem_(stem), filter_(filter) {}

    struct Key {
        std::optional<std::size_t> texture{};  ///< index of an existing texture in the model's list
        std::optional<std::uint32_t> blend{};
        bool isDoubleSided = false;
        bool isUnlit = false;
        friend auto operator<=>(const Key&, const Key&) = default;  // NOLINT: no pointer
    };

    /// False for a texture of the model's list that could not be read.
    [[nodiscard]] bool isThere(std::size_t texture) const { return textures_[texture].texture != nullptr; }
    /// The index of a material.
    [[nodiscard]] std::uint32_t of(const Key& key);
    [[nodiscard]] bool hasImage(std::uint32_t material) const { return materials_[material].image.has_value(); }

    /// Moves the materials and images to an asset. Call this once, at the end.
    void moveTo(core::Asset& asset);

  private:
    [[nodiscard]] std::uint32_t imageOf(std::size_t texture);
    [[nodiscard]] core::AlphaMode alphaModeOf(const core::Material& material, const Key& key) const;
    void addNames();

    std::span<const ModelTexture> textures_;
    std::string stem_;
    core::Filter filter_;
    std::map<std::size_t, std::uint32_t> imageIndices_;  ///< index of each texture's image
    std::vector<core::Image> images_;
    std::vector<core::AlphaMode> alphaModes_;  ///< alpha modes of the images
    std::map<Key, std::uint32_t> indices_;
    std::vector<Key> keys_;
    std::vector<core::Material> materials_;
};

}  // namespace reanima::ff7
