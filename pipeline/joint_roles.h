/// Joint roles of a game's skeleton and of a rig, from files and users.
#pragma once

#include <optional>

#include "binding/roles/roles.h"
#include "core/asset.h"
#include "settings.h"

namespace reanima {

/// The roles of the asset's skeleton, from all its clips. Empty without a skeleton or with placeholder joints.
/// @param map refers to joints by their current names
[[nodiscard]] std::optional<roles::Anatomy> rolesOfSource(const core::Asset& asset, const Names& names,
                                                          const JointMap& map);

/// The roles of the rig, from its file and the user. The user takes precedence. A warning names further characters in
/// the file.
/// @param map refers to joints by their current names
[[nodiscard]] roles::Anatomy rolesOfRig(const core::Rig& rig, const Names& names, const JointMap& map,
                                        core::Diagnostics& diagnostics);

}  // namespace reanima
