/// The animations named by --animations, as further inputs of outputs.
#pragma once

#include <string>
#include <vector>

#include "plan.h"
#include "tools/reanima/front/options.h"

namespace reanima::tool {

/// @param names files, folders, patterns, or patterns of entries, `char.lgp:aaf?.a`
/// @return in the order of the names, sorted within a pattern or folder. Files from patterns and folders may be left
/// out later if their number of bones differs
/// @throws core::DecodeError for a missing file or an unreadable archive; UsageError for a pattern without matches, and
/// for a folder without animations
[[nodiscard]] std::vector<JobInput> animationInputs(const std::vector<std::string>& names, const InputOptions& options);

}  // namespace reanima::tool
