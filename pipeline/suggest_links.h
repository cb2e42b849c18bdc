/// Suggests a mapping between a game's skeleton and a rig, for a person or a program to correct. `reanima bind INPUT -s
/// RIG -o MAP.json` writes it.
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
    roles::BothRoles roles;                  ///< roles of the joints on both sides
    std::vector<roles::ProposedLink> links;  ///< role, source, target, confidence, reason; from the head to the feet
    JointMap map;                            ///< the links, for Settings::map
    std::string json;                        ///< `map` as a readable file for parseJointMap()
};

/// @param source the asset with its clips, from loadFile() without a rig; their motion helps to find roles
/// @param settings only `names`, `map` and `limits` are used; the first two may state roles, by current joint names
/// @param diagnostics receives warnings if one side is not certainly a humanoid, if the source has no clips, or if the
/// rig contains further characters
/// @throws core::DecodeError if the source has no joints, if it has no clips and at most half of its limbs are found,
/// or if stated roles contradict each other
[[nodiscard]] SuggestedLinks suggestLinks(const core::Asset& source, const core::Rig& rig,
                                          core::Diagnostics& diagnostics, const Settings& settings = {});

}  // namespace reanima
