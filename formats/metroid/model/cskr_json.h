/// Skins of Metroid Prime as JSON.
#pragma once

#include "core/limits.h"
#include "cskr.h"
#include "json/json.h"

namespace reanima::metroid {

/// @throws core::DecodeError of the kind `limit`
[[nodiscard]] Json toJson(const Cskr& cskr, const core::Limits& limits, const core::Diagnostics& diagnostics);
/// @throws core::DecodeError that names the wrong member
[[nodiscard]] Cskr cskrFromJson(const JsonReader& json, core::Diagnostics& diagnostics);

}  // namespace reanima::metroid
