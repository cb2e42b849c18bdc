/// Which animations the field models of the unmodified game play, and who the models are: the table
/// formats/ff7/names/field.csv.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/animation_links.h"

namespace reanima::ff7 {

/// What the fields of the unmodified game say, in the order of inOrder(). Empty without the table.
[[nodiscard]] const AnimationLinks& fieldTable();

/// The skeletons that play an animation, those of most fields first: `acfe.a` -> `aaaa.hrc`, ...
[[nodiscard]] const std::vector<std::string>& skeletonsOf(std::string_view animation);

}  // namespace reanima::ff7
