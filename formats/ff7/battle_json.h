/// Battle packs and skeletons as JSON: what `dump` writes and `encode` reads.
#pragma once

#include "battle_animation.h"
#include "battle_skeleton.h"
#include "json/json.h"

namespace reanima::ff7 {

/// @throws core::DecodeError of the kind `limit` if the JSON would exceed the memory limit
[[nodiscard]] Json toJson(const BattlePack& pack, const core::Limits& limits, const core::Diagnostics& diagnostics);
/// @throws core::DecodeError that names the path of a value that does not fit
[[nodiscard]] BattlePack packFromJson(const JsonReader& json, core::Diagnostics& diagnostics);

[[nodiscard]] Json toJson(const BattleSkeleton& skeleton, const core::Diagnostics& diagnostics);
[[nodiscard]] BattleSkeleton skeletonFromJson(const JsonReader& json, core::Diagnostics& diagnostics);

}  // namespace reanima::ff7
