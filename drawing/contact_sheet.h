/// A picture of an input's content: a row of poses per clip, or the frames of a video.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "../pictures/picture.h"
#include "previewed.h"

namespace reanima::drawing {

/// Draws eight poses of every clip in a row, from its beginning to its end, seen from the front and slightly from the
/// side. A character is drawn as its meshes, or as bones with separate colours for left, right and weapons. Each
/// character's name is above its rows. All its poses have the same scale.
/// @param step is called after each item; may be empty
/// @throws core::DecodeError of the kind `limit` for more rows than fit into a picture, or meshes that exceed the
/// DrawingEffort
[[nodiscard]] pictures::Picture contactSheet(std::span<const Previewed> items, const std::function<void()>& step = {});

}  // namespace reanima::drawing
