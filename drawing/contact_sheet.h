/// A picture of an input's content: a row of poses per clip, or the frames of a video.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "../pictures/picture.h"
#include "previewed.h"

namespace reanima::drawing {

/// Rows of eight poses from the beginning to the end of every clip, seen from the front a little from the side: a
/// character's meshes, or its bones, with separate colours for left, right and held objects. Each character's name is
/// above its rows. All poses of a character have the same scale.
/// @param step is called after each item; may be empty
/// @throws core::DecodeError of the kind `limit` for more rows than fit into a picture, or for meshes that exceed the
/// DrawingEffort
[[nodiscard]] pictures::Picture contactSheet(std::span<const Previewed> items, const std::function<void()>& step = {});

}  // namespace reanima::drawing
