/// Writes changed clips into animation blocks.
#pragma once

#include <string>
#include <vector>

#include "animation.h"
#include "core/asset.h"
#include "core/clip_edits.h"

namespace reanima::ff9 {

/// An animation of one frame without rotations.
[[nodiscard]] Animation stillAnimation(std::uint32_t bones);

/// The animation with changed frames. Constant channels stay constant unless a frame differs.
/// @param original the asset of the clip; joints are bones in file order
/// @param scale metres per unit of the game in that asset
/// @param losses receives edits that a block can't store: positions of joints other than the first, scales
/// @throws core::DecodeError for positions or lengths beyond 16 bits
[[nodiscard]] Animation edited(const Animation& animation, const core::Asset& original, const core::ClipEdit& edit,
                               double scale, std::vector<std::string>& losses);

}  // namespace reanima::ff9
