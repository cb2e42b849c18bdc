/// Matches the joints of two skeletons by a mapping and by names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/diagnostics.h"
#include "joint_map.h"
#include "match_joints.h"

namespace reanima {

/// Matches by the lines of the mapping first, then by equal roles, then by names.
/// @param shownTarget the target's name in messages
/// @param doubt why the joints were not matched by their roles, for messages; may be empty
/// @throws core::DecodeError if nothing matches, a target has several sources, or a role has several joints
[[nodiscard]] std::vector<roles::JointMatch> matchJoints(const core::Skeleton& source, const core::Skeleton& target,
                                                         const JointMap& map, const std::string& shownTarget,
                                                         const std::string& doubt, core::Diagnostics& diagnostics);

}  // namespace reanima
