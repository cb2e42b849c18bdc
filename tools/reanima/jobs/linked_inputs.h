/// Decides which of the found files belong in another file's output: animations that a game links to their skeleton.
#pragma once

#include <string>
#include <vector>

#include "pipeline/character_files.h"
#include "plan_item.h"
#include "tools/reanima/front/recipe.h"

namespace reanima::tool {

/// Whether all items share an output.
enum class OutputsOf { all, each };

/// Links items to each other: sets PlanItem::linked, use and related members. In a folder, an animation and its
/// skeleton share an output. Animations that the user named join the only named skeleton that they fit. If all items
/// share an output, linked animations are only added to skeletons without other animations.
/// @throws core::DecodeError if a file contains no links although the user named it as their source
void linkItems(std::vector<PlanItem>& items, const Recipe& recipe, CharacterFiles& files, OutputsOf outputs);

/// Notes about animations without a skeleton in their folder or archive, with their number.
[[nodiscard]] std::vector<std::string> strayNotes(const std::vector<PlanItem>& items);

}  // namespace reanima::tool
