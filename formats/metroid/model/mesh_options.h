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
                                        "order in which textures store their rows: bottom-up (textures of models) or "
                                        "top-down (images of the interface); default: bottom-up",
                                        0,
                                        0,
                                        kRowsChoices};
inline constexpr OptionInfo kSetOption{
    "set", OptionInfo::Type::count, "N", "number of the model's material set, from 0; default: 0", 0, 65535};

[[nodiscard]] inline Rows rowsFrom(const OptionValues& options) {
    return options.text(kRowsOption.key) == kRowsChoices.back() ? Rows::topDown : Rows::bottomUp;
}

}  // namespace reanima::metroid
