/// The models of a file, for messages.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "formats/format.h"

namespace reanima::tool {

/// `300 (5 joints, 3 clips, 12 triangles), 301 (9 joints, 1 clip, 0 triangles)`
[[nodiscard]] std::string described(std::span<const ModelSummary> models);

/// The models that one of the selections means: an id, a name, or a pattern for them; each once, in the order of the
/// selections.
/// @param unused becomes those that mean none
[[nodiscard]] std::vector<ModelSummary> chosenFrom(std::span<const ModelSummary> models,
                                                   const std::vector<std::string>& selections,
                                                   std::vector<std::string>& unused);

/// Why a model can't be had that is not among those of a file.
[[nodiscard]] std::string holdsNoModel(const std::string& id, std::span<const ModelSummary> models);

}  // namespace reanima::tool
