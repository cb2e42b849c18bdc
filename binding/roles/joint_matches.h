/// Matches the joints of two skeletons by a mapping and by names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/diagnostics.h"
#include "joint_map.h"
#include "match_joints.h"

namespace reanima {

/// First the lines of the mapping, then joints of one role, then names.
/// @param shownTarget what messages call the target
/// @param doubt why the joints were not matched by their roles, for messages; may be empty
/// @throws core::DecodeError if nothing matches, a target has several sources, or a role has several joints
[[nodiscard]] std::vector<roles::JointMatch> matchJoints(const core::Skeleton& source, const core::Skeleton& target,
                                                         const JointMap& map, const std::string& shownTarget,
                                                         const std::string& doubt, core::Diagnostics& diagnostics);

}  // namespace reanima
