/// What a person sees of a mapping before it is used.
#pragma once

#include "core/bytes.h"
#include "tools/reanima/jobs/sides.h"

namespace reanima::tool {

/// A PNG file with both skeletons, and a few frames of the source beside what the mapping makes of them. Only in builds
/// that draw: see pictures::kCanDraw.
/// @param diagnostics get a note where the mapping can't be carried out, so that there are no frames
[[nodiscard]] core::ByteVector pictureOf(const Sides& sides, const SuggestedLinks& suggested,
                                         core::Diagnostics& diagnostics);

}  // namespace reanima::tool
