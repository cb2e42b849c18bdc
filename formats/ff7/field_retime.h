/// Changes the number of frames of a field animation.
#pragma once

#include "core/limits.h"
#include "field_animation.h"
#include "formats/retime.h"

namespace reanima::ff7 {

/// @param animation the animation to change
/// @return the report, without bytes
/// @throws core::DecodeError of the kind `limit` for more frames than the limits allow
[[nodiscard]] RetimedFile retime(FieldAnimation& animation, const RetimeSettings& settings, const core::Limits& limits);

}  // namespace reanima::ff7
