/// Which joint of a rig follows which of a game's skeleton, as a first proposal.
#pragma once

#include <string>
#include <vector>

#include "../../core/diagnostics.h"
#include "../motion/bind.h"
#include "roles.h"

namespace reanima::roles {

/// What the joints of both sides are for.
struct BothRoles {
    Anatomy source;
    Anatomy rig;
};

/// A line of a mapping.
struct ProposedLink {
    motion::JointLink link;
    Role role{};            ///< none: its place in the tree is all that is known
    double confidence = 0;  ///< 0 to 1
    std::string reason;
};

/// By what the joints are for where both are humanoids, else by the shape of the trees, with a warning. In the order in
/// which people go through a body: the torso, the arms, the legs, the rest.
[[nodiscard]] std::vector<ProposedLink> proposedLinks(const core::Skeleton& source, const core::Skeleton& rig,
                                                      const BothRoles& roles, core::Diagnostics& diagnostics);

}  // namespace reanima::roles
