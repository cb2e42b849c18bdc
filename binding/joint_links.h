/// Which joint of a rig follows which: by what the joints are for, by a mapping, by names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bind_plan.h"
#include "roles/match_joints.h"

namespace reanima::binding {

struct JointLinks {
    std::vector<roles::JointMatch> matches;
    std::optional<roles::LinkedRoles> roles;  ///< of linked joints, where they are known
    std::string summary;                      ///< what was bound, for one line
};

/// By what the joints are for, where no mapping says it and the rig has not the source's own joints; else by the
/// mapping and by names. A note says what was bound.
/// @throws core::DecodeError where nothing matches, names are ambiguous, or the map names joints that neither has; of
/// the kind `noHumanoid` where the rig is a humanoid and the source is not surely one
[[nodiscard]] JointLinks jointLinks(const core::Skeleton& source, const std::vector<core::Clip>& clips,
                                    const core::Skeleton& target, const BindSettings& settings,
                                    core::Diagnostics& diagnostics);

}  // namespace reanima::binding
