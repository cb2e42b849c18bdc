/// Textures as JSON: what `dump` writes and `encode` reads.
#pragma once

#include "core/limits.h"
#include "json/json.h"
#include "tim.h"

namespace reanima::psx {

/// @throws core::DecodeError of the kind `limit` if the JSON needs too much memory
[[nodiscard]] Json toJson(const Tim& tim, const core::Limits& limits, const core::Diagnostics& diagnostics);
/// @throws core::DecodeError that names the path of a value that does not fit
[[nodiscard]] Tim timFromJson(const JsonReader& json, core::Diagnostics& diagnostics);

}  // namespace reanima::psx
