/// Options of Metroid Prime's models and textures.
#pragma once

#include <array>
#include <string_view>

#include "formats/options.h"
#include "txtr.h"

namespace reanima::metroid {

inline constexpr std::array<std::string_view, 2> kRowsChoices = {"bottom-up", "top-down"};
inline constexpr OptionInfo kRowsOption{
    "rows",
    OptionInfo::Type::text,
    "ORDER",
    "how rows of textures become rows of images: from the last one, as models are painted, or as stored; default: "
    "bottom-up",
    0,
    0,
    kRowsChoices};
inline constexpr OptionInfo kSetOption{
    "set", OptionInfo::Type::count, "N", "the set of materials that a model shows; default: 0", 0, 65535};

[[nodiscard]] inline Rows rowsFrom(const OptionValues& options) {
    return options.text(kRowsOption.key) == kRowsChoices.back() ? Rows::topDown : Rows::bottomUp;
}

}  // namespace reanima::metroid
