/// Models of Metroid Prime as JSON.
#pragma once

#include "cmdl.h"
#include "core/limits.h"
#include "json/json.h"

namespace reanima::metroid {

/// @throws core::DecodeError of the kind `limit`
[[nodiscard]] Json toJson(const Cmdl& cmdl, const core::Limits& limits, const core::Diagnostics& diagnostics);
/// @throws core::DecodeError of the kind `limit` for sections above the memory limit; other errors name the member
[[nodiscard]] Cmdl cmdlFromJson(const JsonReader& json, const core::Limits& limits, core::Diagnostics& diagnostics);

}  // namespace reanima::metroid
