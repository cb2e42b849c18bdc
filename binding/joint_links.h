/// Finds the source joint that each joint of a rig follows: by roles, by a mapping or by names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bind_plan.h"
#include "roles/match_joints.h"

namespace reanima::binding {

struct JointLinks {
    std::vector<roles::JointMatch> matches;
    std::optional<roles::LinkedRoles> roles;  ///< of linked joints, if known
    std::string summary;                      ///< one line about the linked joints
};

/// Links by roles if there is no mapping and the rig does not have the source's own joints; else by the mapping and by
/// names. A note reports which joints are linked.
/// @throws core::DecodeError if nothing matches, names are ambiguous, or the map contains joints that are in neither
/// skeleton; of the kind `noHumanoid` if the rig is a humanoid and the source is not certainly one
[[nodiscard]] JointLinks jointLinks(const core::Skeleton& source, const std::vector<core::Clip>& clips,
                                    const core::Skeleton& target, const BindSettings& settings,
                                    core::Diagnostics& diagnostics);

}  // namespace reanima::binding
