/// Character sets as JSON: what `dump` writes.
#pragma once

#include "../../json/json.h"
#include "ancs.h"

namespace reanima::metroid {

[[nodiscard]] Json toJson(const Ancs& ancs, const core::Diagnostics& diagnostics);

}  // namespace reanima::metroid
