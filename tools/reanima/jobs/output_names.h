/// Names of outputs.
#pragma once

#include <vector>

#include "plan_item.h"
#include "tools/reanima/front/options.h"

namespace reanima::tool {

/// Whether outputs named after files include the ids of models.
enum class ModelsIn { names, none };

/// Fills PlanItem::stems. An output is named after its character. If the character is unknown, its file and its model
/// give the name; the model is left out if it is the only one, or if the input has one output. If several outputs in a
/// folder may share a name, all get their stems appended: `barret_sb`.
void nameOutputs(std::vector<PlanItem>& items, ModelsIn models, const InputOptions& options);

}  // namespace reanima::tool
