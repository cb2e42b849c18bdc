/// A suggested mapping between a game's skeleton and a rig, for users to check and correct.
#pragma once

#include <vector>

#include "binding/roles/proposed_links.h"
#include "core/diagnostics.h"
#include "json/json.h"

namespace reanima::roles {

/// Links joints by roles if both are humanoids, else by the shape of the trees, with a warning. The links are in
/// anatomical order: torso, arms, legs, the rest.
[[nodiscard]] std::vector<ProposedLink> proposedLinks(const core::Skeleton& source, const core::Skeleton& rig,
                                                      const BothRoles& roles, core::Diagnostics& diagnostics);

/// The mapping as `convert --map` reads it. It also lists body joints without a counterpart, with an empty name on the
/// other side.
[[nodiscard]] Json mappingOf(const core::Skeleton& source, const core::Skeleton& rig, const BothRoles& roles,
                             const std::vector<ProposedLink>& links);

}  // namespace reanima::roles
