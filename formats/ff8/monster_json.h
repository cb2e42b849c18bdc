/// Monsters as JSON: what `dump` writes and `encode` reads.
#pragma once

#include "json/json.h"
#include "monster.h"

namespace reanima::ff8 {

/// @throws core::DecodeError of the kind `limit` if the JSON needs too much memory
[[nodiscard]] Json toJson(const Monster& monster, const core::Limits& limits, const core::Diagnostics& diagnostics);
/// @throws core::DecodeError that names the path of a value that does not fit
[[nodiscard]] Monster monsterFromJson(const JsonReader& json, core::Diagnostics& diagnostics);

}  // namespace reanima::ff8
