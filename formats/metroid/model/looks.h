/// The parts of a Metroid Prime material that glTF can show: base colour, emission and blending.
///
/// Rules and their limits: docs/formats/metroid_cmdl.md
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <glm/vec4.hpp>

#include "cmdl.h"
#include "core/mesh.h"

namespace reanima::metroid {

/// A texture that a material shows.
struct ShownTexture {
    std::uint32_t id = 0;  ///< id of the TXTR
    std::size_t uv = 0;    ///< the set of texture coordinates

    bool operator==(const ShownTexture&) const = default;
};

struct MaterialLook {
    std::optional<ShownTexture> base{};
    std::optional<ShownTexture> emissive{};  ///< ignored by unlit materials
    glm::vec4 factor{1};                     ///< linear colour of materials without a base texture
    core::AlphaMode alphaMode = core::AlphaMode::opaque;
    float alphaCutoff = 0.5F;             ///< threshold for AlphaMode::mask
    std::vector<std::string> notShown{};  ///< `reflection`, `light-map`, `texture`, `animation`, `indirect`, `blend`
};

/// Whether lights shade a material. Without lighting, emission is not shown.
enum class Lighting { lit, unlit };

[[nodiscard]] MaterialLook lookOf(const CmdlMaterial& material, const MaterialSet& set, Lighting lighting);

}  // namespace reanima::metroid
