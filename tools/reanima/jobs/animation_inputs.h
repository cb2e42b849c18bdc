/// The animations that --animations names, as further inputs of outputs.
#pragma once

#include <string>
#include <vector>

#include "plan.h"
#include "tools/reanima/front/options.h"

namespace reanima::tool {

/// @param names files, folders, patterns, or patterns of entries, `char.lgp:aaf?.a`
/// @return in the order of the names, those of a pattern or a folder sorted; these are left out where they move another
/// number of bones
/// @throws core::DecodeError for a file that is not there, or an archive that can't be read; UsageError for a pattern
/// that nothing fits, and a folder without animations
[[nodiscard]] std::vector<JobInput> animationInputs(const std::vector<std::string>& names, const InputOptions& options);

}  // namespace reanima::tool
