/// A first mapping between a game's skeleton and a rig, for people to look at and to correct.
#pragma once

#include <vector>

#include "binding/roles/proposed_links.h"
#include "core/diagnostics.h"
#include "json/json.h"

namespace reanima::roles {

/// By what the joints are for where both are humanoids, else by the shape of the trees, with a warning. In the order in
/// which people go through a body: the torso, the arms, the legs, the rest.
[[nodiscard]] std::vector<ProposedLink> proposedLinks(const core::Skeleton& source, const core::Skeleton& rig,
                                                      const BothRoles& roles, core::Diagnostics& diagnostics);

/// The mapping that `convert --map` reads as it is. What a body has and no link leads is in it, too, with the joint
/// that one side has for it and an empty text for the other.
[[nodiscard]] Json mappingOf(const core::Skeleton& source, const core::Skeleton& rig, const BothRoles& roles,
                             const std::vector<ProposedLink>& links);

}  // namespace reanima::roles
