/// Decides which found files join other outputs: animations that a game links to a skeleton.
#pragma once

#include <string>
#include <vector>

#include "pipeline/character_files.h"
#include "plan_item.h"
#include "tools/reanima/front/recipe.h"

namespace reanima::tool {

/// How many outputs all items together have.
enum class OutputsOf { all, each };

/// Sets the links between items: PlanItem::linked, joins, use. In a folder, an animation of a skeleton there gets no
/// output of its own, nor does a skeleton of an animation with an output. Among files that the user names, animations
/// join the only skeleton that they fit. With one output for all, only a skeleton without animations gets some.
/// @throws core::DecodeError for a file that was named as the source of links but has none
void linkItems(std::vector<PlanItem>& items, const Recipe& recipe, CharacterFiles& files, OutputsOf outputs);

/// Notes with the number of animations in each folder or archive that belong to no skeleton there.
[[nodiscard]] std::vector<std::string> strayNotes(const std::vector<PlanItem>& items);

}  // namespace reanima::tool
