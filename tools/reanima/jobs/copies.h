/// Characters that are in several archives, such as the discs of a game.
#pragma once

#include <vector>

#include "plan_item.h"

namespace reanima::tool {

/// Clears the archives of items if all come from one archive: then no item is a copy.
void forgetOnlyArchive(std::vector<PlanItem>& items);

/// Fills PlanItem::content and bodies.
void hashModels(PlanItem& item, const Input& input);

/// A model equal to one of an earlier archive, in id and bytes, has no output. Its clips join the earlier model's
/// output. Of several equal models, the one at the same place in its archive is used, otherwise the first.
void joinCopies(std::vector<PlanItem>& items);

}  // namespace reanima::tool
