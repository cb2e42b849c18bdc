/// A picture of what an input holds: a row of poses per clip, the frames of a video.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "../pictures/picture.h"
#include "previewed.h"

namespace reanima::drawing {

/// Rows of eight poses from the beginning to the end of every clip, seen from the front a little from the side: a
/// character's meshes, or its bones, of which left, right and what is in the hand have colours of their own. Above the
/// rows stands whose they are.
/// All poses of a character have one scale.
/// @param step is called after each item; may be empty
/// @throws core::DecodeError of the kind `limit` for more rows than a picture has room for, or for meshes that take
/// more than a DrawingEffort
[[nodiscard]] pictures::Picture contactSheet(std::span<const Previewed> items, const std::function<void()>& step = {});

}  // namespace reanima::drawing
