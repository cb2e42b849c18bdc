/// What joints are for, by what they are called.
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

/// The role that a key stands for in most conventions. What it is called besides, such as `leftArm` beside
/// `leftForeArm`, is not looked at.
[[nodiscard]] std::optional<Role> roleOfWords(const Words& words);

/// Roles by the names of a known family, else by names of any convention. Numbered names tell nothing.
/// The confidence is that of the names alone; where they don't name a whole body it is 0, and `seen` says what is
/// missing.
[[nodiscard]] Anatomy anatomyByNames(const core::Skeleton& skeleton);

/// Completes roles that are known in part: joints above the hips on the ground, twist joints, ends and helpers.
void nameTheRest(const core::Skeleton& skeleton, Anatomy& anatomy);

/// What a whole body lacks, `no arms`; empty if hips, head, both arms and both legs are there and hang together. A foot
/// may hang elsewhere, as controls of inverse kinematics do, if it stands at the end of its lower leg.
[[nodiscard]] std::string missingParts(const core::Skeleton& skeleton, const Anatomy& anatomy);

/// Gives head and hips of a body that was found by its shape to joints that are called so, where those are on the same
/// chain below: a neck with little above it looks like a head, and what carries the hips like hips.
void placeNamedHeadAndHips(const core::Skeleton& skeleton, Anatomy& anatomy);

/// True if the limbs of a body that was found by its shape are called so: each of their names has its side and a word
/// for an arm or a leg, whichever of its joints that word stands for in most conventions, and the head is called head
/// or skull, or neck where nothing is above it.
[[nodiscard]] bool namesAgree(const core::Skeleton& skeleton, const Anatomy& anatomy);

}  // namespace reanima::roles
