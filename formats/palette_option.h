/// The option of textures that may contain several palettes.
#pragma once

#include "options.h"

namespace reanima {

inline constexpr OptionInfo kPaletteOption{
    "palette", OptionInfo::Type::count, "N", "number of the texture's palette, from 0; default: 0", 0, 255};

}  // namespace reanima
