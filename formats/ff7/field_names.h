/// The animations and names of field models in the unmodified game: the table formats/ff7/names/field.csv.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/called.h"
#include "formats/animation_links.h"

namespace reanima::ff7 {

/// The links of the unmodified game, in the order of inOrder(). Empty without the table.
[[nodiscard]] const AnimationLinks& fieldTable();

/// The character of a skeleton in the unmodified game: `Cloud` for `aaaa.hrc`. Unknown without the table.
[[nodiscard]] core::Called fieldCharacter(std::string_view skeleton);

/// The skeletons that play an animation, starting with those that appear in the most fields:
/// `acfe.a` -> `aaaa.hrc`, ...
[[nodiscard]] const std::vector<std::string>& skeletonsOf(std::string_view animation);

}  // namespace reanima::ff7
