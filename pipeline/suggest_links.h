/// A first mapping between a game's skeleton and a rig, for people and programs to look at and to correct: what
/// `reanima bind INPUT -s RIG -o MAP.json` writes.
#pragma once

#include <string>
#include <vector>

#include "../binding/roles/joint_map.h"
#include "../binding/roles/proposed_links.h"
#include "../core/asset.h"
#include "../core/diagnostics.h"
#include "../core/rig.h"
#include "settings.h"

namespace reanima {

struct SuggestedLinks {
    roles::BothRoles roles;                  ///< what the joints of both sides are for
    std::vector<roles::ProposedLink> links;  ///< role, source, target, confidence, reason; from the head to the feet
    JointMap map;                            ///< the links, for Settings::map
    std::string json;                        ///< the same as a file for people: parseJointMap() reads it
};

/// @param source with its clips, whose motion tells what joints are for: loadFile() without a rig
/// @param settings its `names` and `map` may state roles, by the names that joints have now; the rest is not looked at
/// @param diagnostics gets warnings where one side is not surely a humanoid, or the rig holds further characters
/// @throws core::DecodeError if the source has no joints, or stated roles contradict each other
[[nodiscard]] SuggestedLinks suggestLinks(const core::Asset& source, const core::Rig& rig,
                                          core::Diagnostics& diagnostics, const Settings& settings = {});

}  // namespace reanima
