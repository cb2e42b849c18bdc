/// Finds the roles of joints by their names.
#pragma once

#include <string>
#include <string_view>

#include "roles.h"

namespace reanima::roles {

/// The parts of a name: `mixamorig:LeftUpLeg_01` has the key `upleg`, the left side, and the number 1.
struct Words {
    std::string key;  ///< letters in lower case, without side and numbers
    Side side = Side::middle;
    int number = -1;  ///< the last number in the name; -1: none
};

[[nodiscard]] Words wordsOfName(std::string_view name);

/// The role that a key has in most conventions, regardless of other names in the skeleton (`leftArm` may be an upper
/// arm beside `leftForeArm`).
[[nodiscard]] std::optional<Role> roleOfWords(const Words& words);

/// Roles by the names of a known family, else by names of any convention. Numbered names are ignored. The confidence is
/// based only on names; if they do not name a whole body it is 0, and `seen` states what is missing.
[[nodiscard]] Anatomy anatomyByNames(const core::Skeleton& skeleton);

/// Sets the roles of the other joints: ground (above the hips), twist joints, ends and helpers.
void nameTheRest(const core::Skeleton& skeleton, Anatomy& anatomy);

/// What is missing for a whole body: `no two arms`; empty if hips, head, both arms and both legs exist and are
/// connected. A foot may have another parent, as with IK controls, if it is at the end of its lower leg.
[[nodiscard]] std::string missingParts(const core::Skeleton& skeleton, const Anatomy& anatomy);

}  // namespace reanima::roles
