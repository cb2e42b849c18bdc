/// A first mapping between a game's skeleton and a rig, for people to look at and to correct.
#pragma once

#include <vector>

#include "binding/roles/proposed_links.h"
#include "json/json.h"

namespace reanima::roles {

/// The mapping that `convert --map` reads as it is. What a body has and no link leads is in it, too, with the joint
/// that one side has for it and an empty text for the other.
[[nodiscard]] Json mappingOf(const core::Skeleton& source, const core::Skeleton& rig, const BothRoles& roles,
                             const std::vector<ProposedLink>& links);

}  // namespace reanima::roles
