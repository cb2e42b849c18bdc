/// Changed clips in animation blocks.
#pragma once

#include <string>
#include <vector>

#include "animation.h"
#include "core/asset.h"
#include "core/clip_edits.h"

namespace reanima::ff9 {

/// An animation of one frame, in which no bone is turned.
[[nodiscard]] Animation stillAnimation(std::uint32_t bones);

/// The animation with changed frames. A channel that is constant stays so, unless a frame differs now.
/// @param original the asset that the clip is of; joints are bones in file order
/// @param scale metres per unit that it was made with
/// @param losses gets what a block can't hold: places of joints other than the first, scales
/// @throws core::DecodeError for places or lengths beyond 16 bits
[[nodiscard]] Animation edited(const Animation& animation, const core::Asset& original, const core::ClipEdit& edit,
                               double scale, std::vector<std::string>& losses);

}  // namespace reanima::ff9
