/// Two skeletons side by side, to see at a glance whether a mapping is right.
#pragma once

#include <vector>

#include "../../binding/suggest.h"
#include "../../pictures/picture.h"

namespace reanima::tool {

/// Both at rest, seen from the front; what belongs together has the same colour, what has no counterpart is grey.
[[nodiscard]] pictures::Picture drawSkeletons(const core::Skeleton& source, const core::Skeleton& target,
                                              const std::vector<core::Suggestion>& suggestions);

}  // namespace reanima::tool
