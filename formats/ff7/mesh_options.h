/// Options of the formats whose characters have meshes.
#pragma once

#include <array>
#include <string_view>

#include "formats/common_options.h"
#include "model_meshes.h"

namespace reanima::ff7 {

inline constexpr std::array<std::string_view, 2> kOverlayChoices = {"offset", "keep"};

inline constexpr OptionInfo kWeaponOption{"weapon", OptionInfo::Type::text, "N|all|none",
                                          "weapons by their number, from 0; default: the first that is there"};
inline constexpr OptionInfo kOverlayOption{
    "overlay",
    OptionInfo::Type::text,
    "WHAT",
    "textured triangles that lie on others: lifted off them (offset), or left; default: offset",
    0,
    0,
    kOverlayChoices};
/// @throws core::DecodeError of the kind `option`
[[nodiscard]] WeaponChoice weaponFrom(const OptionValues& options);

/// @param lighting where no option says otherwise
/// @throws core::DecodeError of the kind `option`
[[nodiscard]] MeshSettings meshSettingsFrom(const OptionValues& options, std::string_view skeletonFile, double scale,
                                            MeshSettings::Lighting lighting);

}  // namespace reanima::ff7
