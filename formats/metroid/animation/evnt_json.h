/// Events as JSON: what `dump` writes and `encode` reads.
#pragma once

#include "evnt.h"
#include "json/json.h"

namespace reanima::metroid {

[[nodiscard]] Json toJson(const Evnt& evnt, const core::Diagnostics& diagnostics);
/// @throws core::DecodeError that names the path of a value that does not fit
[[nodiscard]] Evnt evntFromJson(const JsonReader& json, core::Diagnostics& diagnostics);

}  // namespace reanima::metroid
