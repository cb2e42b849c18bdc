/// Character sets as JSON: what `dump` writes.
#pragma once

#include "ancs.h"
#include "json/json.h"

namespace reanima::metroid {

[[nodiscard]] Json toJson(const Ancs& ancs, const core::Diagnostics& diagnostics);

}  // namespace reanima::metroid
