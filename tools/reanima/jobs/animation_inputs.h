/// The animations named by --animations, as further inputs of outputs.
#pragma once

#include <vector>

#include "plan.h"

namespace reanima::tool {

/// Adds the animations of --animations to the jobs of a request. Animations from patterns, folders and whole archives
/// are left out if they belong to another character.
/// @throws core::DecodeError for a missing file or an unreadable archive; UsageError for a pattern without matches, for
/// a folder without animations, and for an archive whose names do not show which animations belong to a character
void addAnimations(std::vector<Job>& jobs, const Request& request);

}  // namespace reanima::tool
