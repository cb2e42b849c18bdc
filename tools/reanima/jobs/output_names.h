/// What outputs are called.
#pragma once

#include <vector>

#include "plan_item.h"
#include "tools/reanima/front/options.h"

namespace reanima::tool {

/// Whether models of a file have their ids in the names of outputs that are called after files.
enum class ModelsIn { names, none };

/// Fills PlanItem::stems. An output is called after its character, where that is known, else after its file and, unless
/// it is the only one or an input has one output, its model. Where several may share a name in a folder, all of them
/// have their stems after it: `barret_sb`.
void nameOutputs(std::vector<PlanItem>& items, ModelsIn models, const InputOptions& options);

}  // namespace reanima::tool
