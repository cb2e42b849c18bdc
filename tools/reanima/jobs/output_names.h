/// Names of outputs.
#pragma once

#include <vector>

#include "plan_item.h"
#include "tools/reanima/front/options.h"

namespace reanima::tool {

/// Whether names of outputs that are named after files include the ids of models.
enum class ModelsIn { names, none };

/// Fills PlanItem::stems. An output is named after its character, if known, else after its file and its model; the
/// model is omitted if it is the only one or an input has one output. If several may share a name in a folder, all of
/// them get their stems appended: `barret_sb`.
void nameOutputs(std::vector<PlanItem>& items, ModelsIn models, const InputOptions& options);

}  // namespace reanima::tool
