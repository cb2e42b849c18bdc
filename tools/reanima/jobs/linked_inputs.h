/// Which of the things that were found become parts of others' outputs: animations that a game links to a skeleton.
#pragma once

#include <string>
#include <vector>

#include "pipeline/character_files.h"
#include "plan_item.h"
#include "tools/reanima/front/recipe.h"

namespace reanima::tool {

/// How many outputs all items together have.
enum class OutputsOf { all, each };

/// Fills what the items say about belonging together: PlanItem::linked, joins, use. In a folder, an animation that a
/// skeleton there plays has no output of its own, nor has a skeleton that an animation with an output moves. Among
/// files that the user names, animations join the only skeleton that they may move. With one output for all, only a
/// skeleton without animations gets some.
/// @throws core::DecodeError for a file that was named to say what belongs together, and does not
void linkItems(std::vector<PlanItem>& items, const Recipe& recipe, CharacterFiles& files, OutputsOf outputs);

/// Says how many animations of each folder or archive belong to no skeleton there.
[[nodiscard]] std::vector<std::string> strayNotes(const std::vector<PlanItem>& items);

}  // namespace reanima::tool
