/// A changed clip in a field animation.
#pragma once

#include <string>
#include <vector>

#include "core/asset.h"
#include "core/clip_edits.h"
#include "field_animation.h"
#include "field_clips.h"

namespace reanima::ff7 {

/// What differs by less is the same: the file holds floats, and programs leave traces in them.
[[nodiscard]] core::StoredSteps fieldSteps(double scale);

/// An animation of one frame, in which no bone is turned.
[[nodiscard]] FieldAnimation stillFieldAnimation(std::uint32_t bones);

/// Puts changed frames into an animation; angles stay near those that it has.
/// @param original that toAsset() made of it with these settings
/// @return what the animation can't hold: places of joints other than the root, scales
[[nodiscard]] std::vector<std::string> applyEdit(FieldAnimation& animation, const core::Asset& original,
                                                 const core::ClipEdit& edit, const FieldSettings& settings);

}  // namespace reanima::ff7
