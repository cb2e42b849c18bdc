/// What the joints of a game's skeleton and of a rig are for, by all that files and users say.
#pragma once

#include <optional>

#include "binding/roles/roles.h"
#include "core/asset.h"
#include "settings.h"

namespace reanima {

/// Of the asset's skeleton, over all its clips; none without a skeleton or for one that is made up.
/// @param map with the names that joints have now
[[nodiscard]] std::optional<roles::Anatomy> rolesOfSource(const core::Asset& asset, const Names& names,
                                                          const JointMap& map);

/// Of the rig: what its file and the user say; the user has the last word. A warning names what looks like another
/// character.
/// @param map with the names that joints have now
[[nodiscard]] roles::Anatomy rolesOfRig(const core::Rig& rig, const Names& names, const JointMap& map,
                                        core::Diagnostics& diagnostics);

}  // namespace reanima
