/// Materials as JSON: what `dump` writes and `encode` reads.
#pragma once

#include "core/limits.h"
#include "json/json.h"
#include "materials.h"

namespace reanima::ff9 {

/// @throws core::DecodeError of the kind `limit` if the JSON needs too much memory
[[nodiscard]] Json toJson(const Materials& materials, const core::Limits& limits, const core::Diagnostics& diagnostics);
/// @throws core::DecodeError that names the path of a value that does not fit
[[nodiscard]] Materials materialsFromJson(const JsonReader& json);

}  // namespace reanima::ff9
