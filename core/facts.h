/// Facts about a clip apart from its keys: the extras of a glTF animation, the metadata of an Assimp scene.
#pragma once

#include <string>

#include "clip.h"
#include "image_sequence.h"

namespace reanima::core {

/// The properties `name`, `id`, `full_name` (if known), `named_by`, `linked_by` (if a link was needed), `source`,
/// `format`, `index`, `rate` (frames per second), `frames`, `loop` (null if the file does not state it), `root_motion`,
/// `events` (each with `time` in seconds, `name` and its stored values) and `counters`.
/// @param name the animation's name: the clip's, or the one it has in a file with other clips
[[nodiscard]] Properties factsOf(const Clip& clip, const std::string& name);

/// Facts about a video, under the same names as far as they apply, and `rate_exact` (numerator and denominator),
/// `width` and `height` (pixels, as shown), `transposed`, `palindrome` and `color_key` (a 555 pixel in hexadecimal, or
/// null).
[[nodiscard]] Properties factsOf(const ImageSequence& images);

}  // namespace reanima::core
