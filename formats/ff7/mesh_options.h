/// Options of the formats whose characters have meshes.
#pragma once

#include <string_view>

#include "formats/common_options.h"
#include "model_meshes.h"

namespace reanima::ff7 {

inline constexpr OptionInfo kWeaponOption{"weapon", OptionInfo::Type::text, "N|all|none",
                                          "which weapon to add: one by its number, counted from 0 (N), all of them "
                                          "(all), or none (none). Default: the first weapon"};
/// @throws core::DecodeError of the kind `option`
[[nodiscard]] WeaponChoice weaponFrom(const OptionValues& options);

/// @param lighting the value to use if the user sets none
/// @throws core::DecodeError of the kind `option`
[[nodiscard]] MeshSettings meshSettingsFrom(const OptionValues& options, std::string_view skeletonFile, double scale,
                                            MeshSettings::Lighting lighting);

}  // namespace reanima::ff7
