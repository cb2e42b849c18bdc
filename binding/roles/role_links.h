/// Which joint of a rig follows which joint of a game's skeleton, by what both are for.
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

/// What the joints of a rig are for: as stated, else by a family's names, by names of any convention, by its shape.
/// A body that is none (four legs, no arms) has a confidence below kCertain, whatever its names.
/// @param stated joint -> role. What is no role is not looked at.
[[nodiscard]] Anatomy anatomyOfRig(const core::Skeleton& rig, const StatedRoles& stated = {});

/// The same for the skeleton of a game: as stated, else by names, else by its motion over all clips and its mesh.
[[nodiscard]] Anatomy anatomyOfSource(const core::Skeleton& source, const std::vector<core::Clip>& clips,
                                      const StatedRoles& stated = {}, const core::BodySurface& surface = {});

/// True of what has all parts of a person, by their names, and never stands as one.
[[nodiscard]] bool isAnimal(const Anatomy& anatomy);

/// A link and what it is for.
struct RoleLink {
    motion::JointLink link;
    Role role;  ///< of the target
};

/// Links between joints of the same role. Spines and necks of other lengths are spread: three joints of the source turn
/// five of the rig, all together as far. Joints without a counterpart keep their rest.
[[nodiscard]] std::vector<RoleLink> linksByRoles(const Anatomy& source, const core::Skeleton& rig,
                                                 const Anatomy& target);

/// The roles of linked joints: the target's where that is certain, else the source's. Joints of the target without a
/// link keep theirs where they are none of the body (twist, ik), or fingers. None if neither side is certain.
[[nodiscard]] std::optional<LinkedRoles> rolesAlong(const std::vector<motion::JointLink>& links, const Anatomy& source,
                                                    const Anatomy& target);

/// Twist joints by their place along a limb: those of forearms take a share of the hand's roll, those beside upper arms
/// and thighs leave a share of the limb's own roll to what carries it.
[[nodiscard]] std::vector<motion::TwistShare> twistsOf(const core::Skeleton& rig, const Anatomy& anatomy);

/// Joints of the role ik that stand where a hand, a foot or toes do at rest.
[[nodiscard]] std::vector<motion::IkTarget> ikTargetsOf(const core::Skeleton& rig, const Anatomy& anatomy);

/// The mean length of both legs, thigh and shin, in the rest pose. None where a joint is not known.
[[nodiscard]] std::optional<double> legLength(const core::Skeleton& skeleton, const Anatomy& anatomy);

/// Thigh and shin of the target divided by those of the source, where both legs of both are known.
[[nodiscard]] std::optional<double> legRatio(const core::Skeleton& source, const Anatomy& sourceRoles,
                                             const core::Skeleton& target, const Anatomy& targetRoles);

/// What there is of a body: `Unreal Engine 5: 12 of 12 limbs, spine 3, head`.
/// @param family of the naming convention; may be empty
[[nodiscard]] std::string bodyOf(const std::string& family, const std::vector<Role>& roles);

/// `Unreal Engine 5: 12 of 12 limbs, spine 3, head; 41 joints keep their rest pose`
[[nodiscard]] std::string summaryOf(const Anatomy& target, const std::vector<RoleLink>& links);

}  // namespace reanima::roles
