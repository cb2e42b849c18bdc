/// Options of Metroid Prime's models and textures.
#pragma once

#include <array>
#include <string_view>

#include "formats/options.h"
#include "txtr.h"

namespace reanima::metroid {

inline constexpr std::array<std::string_view, 2> kRowsChoices = {"bottom-up", "top-down"};
inline constexpr OptionInfo kRowsOption{"rows",
                                        OptionInfo::Type::text,
                                        "ORDER",
                                        "order of the rows in a texture file: bottom-up (as in textures of models) or "
                                        "top-down (as in images of the interface). Default: bottom-up",
                                        0,
                                        0,
                                        kRowsChoices};
inline constexpr OptionInfo kSetOption{"set", OptionInfo::Type::count,
                                       "N",   "which material set of the model to use, counted from 0. Default: 0",
                                       0,     65535};

[[nodiscard]] inline Rows rowsFrom(const OptionValues& options) {
    return options.text(kRowsOption.key) == kRowsChoices.back() ? Rows::topDown : Rows::bottomUp;
}

}  // namespace reanima::metroid
