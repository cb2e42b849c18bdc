/// The look of a model: materials and their textures.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/limits.h"
#include "formats/psx/texture_memory.h"
#include "materials.h"

namespace reanima::ff9 {

/// Which texture belongs to which material.
enum class Placement {
    memory,  ///< all textures are loaded into texture memory, to which the material's page refers
    place,   ///< material j has texture j
};

struct Texture {
    std::uint16_t id = 0;
    std::optional<psx::Tim> tim{};  ///< empty: the texture is damaged
};

/// Bytes of the textures' texels and colours.
[[nodiscard]] std::uint64_t memoryOf(const std::vector<Texture>& textures);

/// Materials and textures of one model.
struct Look {
    std::optional<std::vector<MaterialPlace>> materials{};  ///< none: no record is known
    std::vector<Texture> textures{};
    std::optional<Placement> placement{};  ///< empty: `place` if every texture has a CLUT, otherwise `memory`
};

/// How a face reads its page.
enum class Depth {
    stated,  ///< the depth that the page states
    deep,    ///< 8 bits per texel instead of 4: kDeepPage
};

/// How a material finds its texels.
class MaterialTexels {
  public:
    /// Where a model comes from. In the console's memory, texture coordinates already include windows.
    enum class Origin { file, consoleMemory };
    MaterialTexels(const Look& look, Origin origin);

    enum class State {
        there,
        noRecord,   ///< no materials of the model are known
        noNumber,   ///< no material has that number
        noTexture,  ///< there is no texture, or it can't be shown
    };
    [[nodiscard]] State stateOf(std::uint8_t material) const;

    [[nodiscard]] Placement placement() const { return placement_; }
    [[nodiscard]] const MaterialPlace* placeOf(std::uint8_t material) const;

    /// A texture coordinate on its page or, with Placement::place, in a picture that begins at 0, 0.
    [[nodiscard]] std::array<std::uint8_t, 2> placeOf(std::uint8_t material, std::array<std::uint8_t, 2> uv) const;

    /// Size of the material's picture in texels, with Placement::place.
    [[nodiscard]] std::array<std::uint32_t, 2> sizeOf(std::uint8_t material) const;

    /// True if faces with kDeepPage look different.
    [[nodiscard]] bool hasDeep(std::uint8_t material) const;

    using Texel = psx::TextureMemory::Texel;
    /// @param material number of a material whose state is State::there
    /// @param x, y texel inside the page or the picture
    [[nodiscard]] Texel at(std::uint8_t material, std::uint32_t x, std::uint32_t y, Depth depth) const;

  private:
    [[nodiscard]] Texel inMemory(const MaterialPlace& material, std::uint32_t x, std::uint32_t y, Depth depth) const;

    const Look& look_;
    Placement placement_;
    Origin origin_;
    std::optional<psx::TextureMemory> memory_;
};

}  // namespace reanima::ff9
