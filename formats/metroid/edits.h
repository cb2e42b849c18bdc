/// Changed clips in animations of Metroid Prime.
#pragma once

#include <string>
#include <vector>

#include "animation.h"
#include "core/asset.h"
#include "core/clip_edits.h"

namespace reanima::metroid {

/// Half of the least change of a rotation and of a place in this animation.
/// @param scale metres per unit of the game
[[nodiscard]] core::StoredSteps stepsOf(const Animation& animation, double scale);

/// Puts changed frames into an animation. Keys that are not changed keep their numbers; where a frame is changed that
/// has no key, all frames get one.
/// @param original that toAsset() made of it
/// @return what it can't hold: bones without a channel, properties that a channel has not, scales
/// @throws core::DecodeError for places that 16 bits do not reach
[[nodiscard]] std::vector<std::string> applyEdit(Animation& animation, const core::Asset& original,
                                                 const core::ClipEdit& edit, double scale);

}  // namespace reanima::metroid
