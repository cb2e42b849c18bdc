/// Textures of Metroid Prime as JSON.
#pragma once

#include "core/diagnostics.h"
#include "core/limits.h"
#include "json/json.h"
#include "txtr.h"

namespace reanima::metroid {

/// @throws core::DecodeError of the kind `limit`
[[nodiscard]] Json toJson(const Txtr& txtr, const core::Limits& limits, const core::Diagnostics& diagnostics);
/// @throws core::DecodeError that names the wrong member
[[nodiscard]] Txtr txtrFromJson(const JsonReader& json, core::Diagnostics& diagnostics);

}  // namespace reanima::metroid
