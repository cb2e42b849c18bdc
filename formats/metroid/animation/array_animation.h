/// Animations of type 0: arrays of floats with a key in every frame.
///
/// Layout and evidence: docs/formats/metroid_anim.md
#pragma once

#include "animation.h"
#include "formats/metroid/reading.h"
#include "judgement.h"

namespace reanima::metroid {

/// Reads everything after the type.
/// @throws core::DecodeError
void readArrayStructure(Reader& file, Animation& animation, const core::Limits& limits, Judgement& judgement);

/// Writes everything after the type.
void writeArrayAnimation(Writer& out, const Animation& animation, const ArrayAnimation& arrays);

}  // namespace reanima::metroid
