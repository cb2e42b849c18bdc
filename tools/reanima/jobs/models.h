/// The models of a file, for messages.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "formats/format.h"

namespace reanima::tool {

/// `300 (5 joints, 3 clips, 12 triangles), 301 (9 joints, 1 clip, 0 triangles)`
[[nodiscard]] std::string described(std::span<const ModelSummary> models);

/// The models that match the selections (ids, names or patterns), each once, in the order of the selections.
/// @param unused receives the selections without a match
[[nodiscard]] std::vector<ModelSummary> chosenFrom(std::span<const ModelSummary> models,
                                                   const std::vector<std::string>& selections,
                                                   std::vector<std::string>& unused);

/// The message that a model is not in a file.
[[nodiscard]] std::string holdsNoModel(const std::string& id, std::span<const ModelSummary> models);

}  // namespace reanima::tool
