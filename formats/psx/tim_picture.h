/// Images of PlayStation textures.
///
/// Colours and evidence: docs/formats/psx_tim.md
#pragma once

#include <cstdint>

#include "../../core/mesh.h"
#include "tim.h"

namespace reanima::psx {

/// The number of palettes in the CLUT; 1 if texels are colours, or if there is no CLUT.
[[nodiscard]] std::uint32_t palettesOf(const Tim& tim);

/// The picture, without a name. Indices outside the palette are transparent. Without a CLUT, indices are shades of
/// grey.
/// @param palette below palettesOf()
[[nodiscard]] core::Image imageOf(const Tim& tim, std::uint32_t palette);

}  // namespace reanima::psx
