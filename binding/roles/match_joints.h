/// Matches the joints of two skeletons by their names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "binding/motion/bind.h"

namespace reanima::roles {

using namespace core;
using namespace motion;

struct JointMatch {
    JointLink link;
    MatchedBy by = MatchedBy::name;
};

/// Only the links.
[[nodiscard]] std::vector<JointLink> linksOf(const std::vector<JointMatch>& matches);

/// The match of a target joint; null if it follows nothing.
[[nodiscard]] const JointMatch* matchOf(const std::vector<JointMatch>& matches, std::uint32_t target);

/// True if the nearest matched joints above both joints of a link are matched with each other, or if there are none.
[[nodiscard]] bool parentsAgree(const Skeleton& source, const Skeleton& target, const std::vector<JointMatch>& matches,
                                const JointLink& link);

/// A name without the parts that differ between programs: case, separators, prefixes such as `mixamorig:` or `Bip01`,
/// and how left and right are written. `mixamorig:LeftUpLeg`, `UpLeg.L` and `l_up_leg` all become `upleg left`.
[[nodiscard]] std::string similarName(std::string_view name);

/// True for names that only number joints: `bone007`, `Joint_3`.
[[nodiscard]] bool isNumberedName(std::string_view name);

/// Adds links for joints that are neither in `known` nor left out: by exact name, by similar name, or by index. If
/// nothing else matches, the index is used for skeletons with the same number of joints and the same parents.
/// Numbered names are used only if all of them have the same parents, because every game counts from 0.
/// @param leftOut names of either skeleton
/// @throws DecodeError that lists the joints, if several have a similar name
[[nodiscard]] std::vector<JointMatch> matchByNames(const Skeleton& source, const Skeleton& target,
                                                   std::vector<JointMatch> known,
                                                   const std::vector<std::string>& leftOut);

}  // namespace reanima::roles
