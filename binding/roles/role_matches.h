/// Decides whether two skeletons are bound by what their joints are for, and puts the source where the target stands.
#pragma once

#include <string>
#include <vector>

#include "match_joints.h"
#include "role_links.h"

namespace reanima::roles {

/// Does the target have all source joints that move, by name and parent, or of numbered ones nearly all? A node above
/// the roots does not count.
[[nodiscard]] bool hasJointsNamedAlike(const core::Skeleton& source, const std::vector<core::Clip>& clips,
                                       const core::Skeleton& target);

/// Is the target the source's own skeleton? Then the joints are named alike, and lie alike in the spaces of their
/// parents, whatever the size: what differs in these is another body, or has other axes.
[[nodiscard]] bool hasOwnJoints(const core::Skeleton& source, const std::vector<core::Clip>& clips,
                                const core::Skeleton& target);

/// linksByRoles() where both are certain enough, without joints of the names in `leftOut`; else none.
[[nodiscard]] std::vector<RoleLink> certainLinks(const core::Skeleton& source, const core::Skeleton& target,
                                                 const Anatomy& sourceRoles, const Anatomy& targetRoles,
                                                 const std::vector<std::string>& leftOut);

/// Why they are not bound by roles, for messages: `the rig is not surely a humanoid: four legs`; empty if both are
/// certain.
[[nodiscard]] std::string doubtOf(const Anatomy& source, const Anatomy& target);

/// @throws core::DecodeError where names match less than half of the joints that move: a root alone would slide a
/// statue
void requireMost(const core::Skeleton& source, const std::vector<core::Clip>& clips,
                 const std::vector<roles::JointMatch>& matches, const std::string& doubt);

/// @throws core::DecodeError where names leave out the hips, a thigh, a shin or an upper arm of a source that is a
/// humanoid: the rest would hang beside it
void requireLimbs(const Anatomy& source, const std::vector<roles::JointMatch>& matches, const std::string& doubt);

/// What standByRoles() changes.
struct Standing {
    bool scale = true;      ///< of the binding: by the legs
    bool reference = true;  ///< the pose of the source
};

/// What roles tell about a binding besides its links: the scale by the legs, twist joints, targets of inverse
/// kinematics, the joints that take root motion, and where the source stands.
/// Its reference pose is moved so that its hips are where the target's are and its feet on the same ground: the joint
/// of the hips lies higher or lower in other bodies; where that is more than a tenth of a leg, the thighs of the target
/// move as the source's do, not the hips. Up is where the target's legs lead from.
void standByRoles(const core::Skeleton& source, const Anatomy& sourceRoles, const core::Skeleton& target,
                  const Anatomy& targetRoles, const Standing& standing, motion::Binding& binding);

}  // namespace reanima::roles
