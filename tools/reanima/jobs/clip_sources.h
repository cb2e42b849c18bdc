/// The origins of clips that other programs have renamed.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/scene_motion.h"

namespace reanima::tool {

/// `run` of `run.001`: some programs add such numbers to duplicate names. Empty for a name without a number.
[[nodiscard]] std::optional<std::string> withoutNumber(const std::string& clip);

/// The origin of a clip. Null if unknown. `run.001` has the origin of `run`.
[[nodiscard]] const core::ClipSource* sourceOf(const std::string& clip,
                                               const std::map<std::string, core::ClipSource>& sources);

}  // namespace reanima::tool
