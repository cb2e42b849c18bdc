/// PNG files in memory.
#pragma once

#include "../core/bytes.h"
#include "../core/limits.h"
#include "picture.h"

namespace reanima::pictures {

/// An RGB file, or RGBA if any pixel is transparent. The same picture gives the same bytes.
[[nodiscard]] core::ByteVector encodePng(const Picture& picture);

/// The same for a texture, which mostly has few colours: with a palette where it has at most 256.
[[nodiscard]] core::ByteVector encodePng(const core::Image& image);

/// A PNG of any kind as RGBA.
/// @throws core::DecodeError if it is not a PNG, damaged, or larger than the limits
[[nodiscard]] Picture decodePng(core::Bytes file, const core::Limits& limits);

}  // namespace reanima::pictures
