/// A picture of a mapping, to check it before use.
#pragma once

#include "core/bytes.h"
#include "tools/reanima/verbs/sides.h"

namespace reanima::tool {

/// A PNG file with both skeletons, and a few frames of the source beside the bound ones. Only in builds with drawing:
/// see pictures::kCanDraw.
/// @param diagnostics receives a note if the mapping fails; then there are no frames
[[nodiscard]] core::ByteVector pictureOf(const Sides& sides, const SuggestedLinks& suggested,
                                         core::Diagnostics& diagnostics);

}  // namespace reanima::tool
