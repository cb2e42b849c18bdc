/// Which joint of a rig follows which of a game's skeleton, as a first proposal.
#pragma once

#include <string>
#include <vector>

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
    std::string reason;     ///< why these two belong together, for people
    std::string source{};   ///< the name of the joint `link.source`
    std::string target{};   ///< the name of the joint `link.target`
};

}  // namespace reanima::roles
