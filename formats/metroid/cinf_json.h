/// Skeletons as JSON: what `dump` writes and `encode` reads.
#pragma once

#include "cinf.h"
#include "json/json.h"

namespace reanima::metroid {

[[nodiscard]] Json toJson(const Cinf& cinf, const core::Diagnostics& diagnostics);
/// @throws core::DecodeError that names the path of a value that does not fit
[[nodiscard]] Cinf cinfFromJson(const JsonReader& json, core::Diagnostics& diagnostics);

}  // namespace reanima::metroid
