/// PNG files in memory.
#pragma once

#include <string_view>

#include "../core/bytes.h"
#include "../core/limits.h"
#include "picture.h"

namespace reanima::pictures {

/// What a note in a PNG file is called: the keyword of a tEXt chunk.
inline constexpr std::string_view kNoteName = "reanima";

/// What compresses the files, with its version, on which their bytes depend: `libdeflate 1.14`.
[[nodiscard]] std::string_view pngWriter();

/// An RGB file, or RGBA if any pixel is transparent. The same picture and note give the same bytes.
/// @param note ASCII, for programs: stands in front of the pixels, in the first 200 bytes if it is short; empty: none
[[nodiscard]] core::ByteVector encodePng(const Picture& picture, std::string_view note = {});

/// The same for a texture, which mostly has few colours: with a palette where it has at most 256.
[[nodiscard]] core::ByteVector encodePng(const core::Image& image, std::string_view note = {});

/// A PNG of any kind as RGBA.
/// @throws core::DecodeError if it is not a PNG, damaged, or larger than the limits
[[nodiscard]] Picture decodePng(core::Bytes file, const core::Limits& limits);

}  // namespace reanima::pictures
