/// Links the joints of a rig to those of a game's skeleton by their roles.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "binding/motion/bind.h"
#include "core/body_surface.h"
#include "roles.h"

namespace reanima::roles {

/// Roles by the names of joints, as a user or a file states them.
using StatedRoles = std::map<std::string, std::string, std::less<>>;

/// The roles of a rig's joints: as stated, else by a family's names, by names of any convention, or by the rest pose. A
/// body that is not a humanoid (four legs, no arms) has a confidence below kCertain, whatever its names.
/// @param stated joint -> role. Unknown roles are ignored.
[[nodiscard]] Anatomy anatomyOfRig(const core::Skeleton& rig, const StatedRoles& stated = {},
                                   const core::BodySurface& surface = {});

/// The same for the skeleton of a game: as stated, else by names, else by its motion over all clips and its mesh.
[[nodiscard]] Anatomy anatomyOfSource(const core::Skeleton& source, const std::vector<core::Clip>& clips,
                                      const StatedRoles& stated = {}, const core::BodySurface& surface = {});

/// True if a body has all parts of a person by name but never stands like one.
[[nodiscard]] bool isAnimal(const Anatomy& anatomy);

/// True if the names of a body exchange its left and right limbs, according to its toes at rest.
[[nodiscard]] bool isExchanged(const Anatomy& anatomy);

/// A link and its role.
struct RoleLink {
    motion::JointLink link;
    Role role;  ///< of the target
};

/// Links between joints of the same role. Spines and necks with different numbers of joints are spread: three joints of
/// the source rotate five of the rig by the same total. Joints without a counterpart keep their rest.
[[nodiscard]] std::vector<RoleLink> linksByRoles(const Anatomy& source, const core::Skeleton& rig,
                                                 const Anatomy& target);

/// The roles of linked joints: the target's if certain, else the source's. Joints of the target without a link keep
/// their roles if the target is certain. None if neither side is certain.
[[nodiscard]] std::optional<LinkedRoles> rolesAlong(const std::vector<motion::JointLink>& links, const Anatomy& source,
                                                    const Anatomy& target);

/// Twist joints by their place along a limb: those of forearms take a share of the hand's roll; those of upper arms and
/// thighs leave a share of the limb's roll to its parent.
[[nodiscard]] std::vector<motion::TwistShare> twistsOf(const core::Skeleton& rig, const Anatomy& anatomy);

/// Joints of the role ik that are in the same place as a hand, a foot or toes at rest.
[[nodiscard]] std::vector<motion::IkTarget> ikTargetsOf(const core::Skeleton& rig, const Anatomy& anatomy);

/// The mean length of both legs, thigh and shin, in the rest pose. None if a joint is unknown.
[[nodiscard]] std::optional<double> legLength(const core::Skeleton& skeleton, const Anatomy& anatomy);

/// Thigh and shin of the target divided by those of the source, if both legs of both are known.
[[nodiscard]] std::optional<double> legRatio(const core::Skeleton& source, const Anatomy& sourceRoles,
                                             const core::Skeleton& target, const Anatomy& targetRoles);

/// Summary of a body: `Unreal Engine 5: 12 of 12 limbs, spine 3, head`.
/// @param family name of the naming convention; may be empty
[[nodiscard]] std::string bodyOf(const std::string& family, const std::vector<Role>& roles);

/// `Unreal Engine 5: 12 of 12 limbs, spine 3, head; 41 joints keep their rest pose`
[[nodiscard]] std::string summaryOf(const Anatomy& target, const std::vector<RoleLink>& links);

}  // namespace reanima::roles
