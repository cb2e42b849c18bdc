/// Animations, models and containers as JSON: what `dump` writes and (except for containers) `encode` reads.
#pragma once

#include <vector>

#include "animation.h"
#include "container.h"
#include "json/json.h"
#include "model.h"

namespace reanima::ff9 {

/// @throws core::DecodeError of the kind `limit` if the JSON, with every value of every frame, needs too much memory
[[nodiscard]] Json toJson(const Block& block, const core::Limits& limits, const core::Diagnostics& diagnostics);
/// @throws core::DecodeError that names the path of a value that does not fit; of the kind `limit` for a layout that is
/// larger than the limits allow
[[nodiscard]] Block blockFromJson(const JsonReader& json, const core::Limits& limits, core::Diagnostics& diagnostics);

/// @throws core::DecodeError of the kind `limit` if the JSON needs too much memory
[[nodiscard]] Json toJson(const Model& model, const core::Limits& limits, const core::Diagnostics& diagnostics);
/// @throws core::DecodeError that names the path of a value that does not fit
[[nodiscard]] Model modelFromJson(const JsonReader& json, core::Diagnostics& diagnostics);

[[nodiscard]] Json toJson(const std::vector<Object>& objects, const core::Diagnostics& diagnostics);

}  // namespace reanima::ff9
