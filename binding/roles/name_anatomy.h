/// Finds the roles of joints by their names.
#pragma once

#include <string>
#include <string_view>

#include "roles.h"

namespace reanima::roles {

/// A name taken apart: `mixamorig:LeftUpLeg_01` has the key `upleg`, the left side, and the number 1.
struct Words {
    std::string key;  ///< letters in lower case, without side and numbers
    Side side = Side::middle;
    int number = -1;  ///< the last one; -1: none
};

[[nodiscard]] Words wordsOfName(std::string_view name);

/// The role that a key has in most conventions, regardless of other names in the skeleton (`leftArm` may be an upper
/// arm beside `leftForeArm`).
[[nodiscard]] std::optional<Role> roleOfWords(const Words& words);

/// Roles by the names of a known family, else by names of any convention. Numbered names are ignored. The confidence is
/// based on names only; if they don't name a whole body it is 0, and `seen` lists what is missing.
[[nodiscard]] Anatomy anatomyByNames(const core::Skeleton& skeleton);

/// Completes roles that are known in part: joints above the hips on the ground, twist joints, ends and helpers.
void nameTheRest(const core::Skeleton& skeleton, Anatomy& anatomy);

/// What is missing from a whole body, `no arms`; empty if hips, head, both arms and both legs exist and are connected.
/// A foot may have another parent, as with IK controls, if it is at the end of its lower leg.
[[nodiscard]] std::string missingParts(const core::Skeleton& skeleton, const Anatomy& anatomy);

/// Moves the roles head and hips, found by shape, to joints with such names on the same chain below. A neck with little
/// above it looks like a head, and the parent of the hips like hips.
void placeNamedHeadAndHips(const core::Skeleton& skeleton, Anatomy& anatomy);

/// True if names confirm the limbs of a body found by shape: each name has the right side and a word for any joint of
/// an arm or leg, and the head is called head or skull, or neck if nothing is above it.
[[nodiscard]] bool namesAgree(const core::Skeleton& skeleton, const Anatomy& anatomy);

}  // namespace reanima::roles
