/// Characters that several archives hold, as the discs of a game do.
#pragma once

#include <vector>

#include "plan_item.h"

namespace reanima::tool {

/// Forgets in which archive items were found, if there is but one: nothing in it is a copy.
void forgetOnlyArchive(std::vector<PlanItem>& items);

/// Fills PlanItem::content and bodies.
void hashModels(PlanItem& item, const Input& input);

/// A model of the id and the bytes of one in an archive before it has no output: its clips go into that one's. Of
/// several such, the one at the same place in its archive counts, else the first.
void joinCopies(std::vector<PlanItem>& items);

}  // namespace reanima::tool
