/// Suggested links between the joints of a rig and a game's skeleton.
#pragma once

#include <string>
#include <vector>

#include "../motion/bind.h"
#include "roles.h"

namespace reanima::roles {

/// The roles of the joints on both sides.
struct BothRoles {
    Anatomy source;
    Anatomy rig;
};

/// A line of a mapping.
struct ProposedLink {
    motion::JointLink link;
    Role role{};            ///< none: matched only by its place in the tree
    double confidence = 0;  ///< 0 to 1
    std::string reason;     ///< why these two were matched, for users
    std::string source{};   ///< the name of the joint `link.source`
    std::string target{};   ///< the name of the joint `link.target`
};

}  // namespace reanima::roles
