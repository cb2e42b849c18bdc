/// Characters that are in several archives, such as the discs of a game.
#pragma once

#include <vector>

#include "plan_item.h"

namespace reanima::tool {

/// Resets PlanItem::archive if all items come from the same archive, since then none is a copy.
void forgetOnlyArchive(std::vector<PlanItem>& items);

/// Fills PlanItem::content and bodies.
void hashModels(PlanItem& item, const Input& input);

/// A model with the same id and bytes as one in an earlier archive has no output. Its clips are added to the earlier
/// model's output. Of several equal earlier models, the one at the same place in its archive is used, otherwise the
/// first.
void joinCopies(std::vector<PlanItem>& items);

}  // namespace reanima::tool
