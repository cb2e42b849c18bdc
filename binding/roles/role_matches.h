/// Decides whether two skeletons are bound by roles, and puts the source where the target stands.
#pragma once

#include <string>
#include <vector>

#include "match_joints.h"
#include "role_links.h"

namespace reanima::roles {

/// True if the target has all moving joints of the source, with the same names and parents; nearly all are enough if
/// names are numbered. A node above the roots is ignored.
[[nodiscard]] bool hasJointsNamedAlike(const core::Skeleton& source, const std::vector<core::Clip>& clips,
                                       const core::Skeleton& target);

/// True if the target is the source's own skeleton at any size: the joints have the same names and the same
/// proportional offsets from their parents. Other offsets mean another body or other axes.
[[nodiscard]] bool hasOwnJoints(const core::Skeleton& source, const std::vector<core::Clip>& clips,
                                const core::Skeleton& target);

/// linksByRoles() without the joints in `leftOut`; empty if one side is not certain enough.
[[nodiscard]] std::vector<RoleLink> certainLinks(const core::Skeleton& source, const core::Skeleton& target,
                                                 const Anatomy& sourceRoles, const Anatomy& targetRoles,
                                                 const std::vector<std::string>& leftOut);

/// Why the skeletons are not bound by roles, for messages: `the rig is not recognised as a humanoid: four legs`; empty
/// if both are certain.
[[nodiscard]] std::string doubtOf(const Anatomy& source, const Anatomy& target);

/// @throws core::DecodeError if names match less than half of the moving joints: if only the root moved, the character
/// would slide like a statue
void requireMost(const core::Skeleton& source, const std::vector<core::Clip>& clips,
                 const std::vector<roles::JointMatch>& matches, const std::string& doubt);

/// @throws core::DecodeError if names do not match the hips, a thigh, a shin or an upper arm of a humanoid source: that
/// part would stay at rest
void requireLimbs(const Anatomy& source, const std::vector<roles::JointMatch>& matches, const std::string& doubt);

/// What standByRoles() changes.
struct Standing {
    bool scale = true;      ///< set the binding's scale from the lengths of the legs
    bool reference = true;  ///< move the source's reference pose
};

/// Completes a binding that was made by roles. Sets the scale (from the lengths of the legs), the twist joints, the IK
/// targets, the joints that receive root motion, and the source's position. The source's reference pose is moved so
/// that its hips are at the target's and its feet on the same ground. The hips joint may be higher or lower in one of
/// the bodies; if the difference exceeds a tenth of a leg, the thighs are aligned instead of the hips. Up is the
/// direction of the target's legs.
void standByRoles(const core::Skeleton& source, const Anatomy& sourceRoles, const core::Skeleton& target,
                  const Anatomy& targetRoles, const Standing& standing, motion::Binding& binding);

}  // namespace reanima::roles
