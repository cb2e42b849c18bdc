/// The option of textures that may contain several palettes.
#pragma once

#include "options.h"

namespace reanima {

inline constexpr OptionInfo kPaletteOption{
    "palette", OptionInfo::Type::count, "N", "which palette of the texture to use, counted from 0. Default: 0", 0, 255};

}  // namespace reanima
