/// Animations as JSON: what `dump` writes and `encode` reads.
#pragma once

#include "animation.h"
#include "core/limits.h"
#include "json/json.h"

namespace reanima::metroid {

/// @throws core::DecodeError if the keys exceed the limits
[[nodiscard]] Json toJson(const Animation& animation, const core::Limits& limits, const core::Diagnostics& diagnostics);

/// Stored whole numbers take precedence over the values that they represent. If numbers are missing, or there are
/// more or fewer of them than keys, values are quantised. A note states the error. Warnings report rewritten words.
/// @throws core::DecodeError that names the path of a value that does not fit; of the kind `limit` for a count that
/// exceeds the memory limit
[[nodiscard]] Animation animationFromJson(const JsonReader& json, const core::Limits& limits,
                                          core::Diagnostics& diagnostics);

}  // namespace reanima::metroid
