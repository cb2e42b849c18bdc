/// The models of a file, for messages.
#pragma once

#include <span>
#include <string>

#include "formats/format.h"

namespace reanima::tool {

/// `300 (5 joints, 3 clips, 12 triangles), 301 (9 joints, 1 clip, 0 triangles)`
[[nodiscard]] std::string described(std::span<const ModelSummary> models);

/// Why a model can't be had that is not among those of a file.
[[nodiscard]] std::string holdsNoModel(const std::string& id, std::span<const ModelSummary> models);

}  // namespace reanima::tool
