/// Writes a changed clip into a field animation.
#pragma once

#include <string>
#include <vector>

#include "core/asset.h"
#include "core/clip_edits.h"
#include "field_animation.h"
#include "field_clips.h"

namespace reanima::ff7 {

/// Smaller differences are ignored: the file contains floats, and other programs add rounding errors.
[[nodiscard]] core::StoredSteps fieldSteps(double scale);

/// An animation of one frame without rotations.
[[nodiscard]] FieldAnimation stillFieldAnimation(std::uint32_t bones);

/// Puts changed frames into an animation; new angles are chosen near the existing ones.
/// @param original the asset that toAsset() made with these settings
/// @return edits that the animation can't store: positions of joints other than the root, scales
[[nodiscard]] std::vector<std::string> applyEdit(FieldAnimation& animation, const core::Asset& original,
                                                 const core::ClipEdit& edit, const FieldSettings& settings);

}  // namespace reanima::ff7
