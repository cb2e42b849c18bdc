/// PNG files in memory.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "../core/bytes.h"
#include "../core/image_sequence.h"
#include "../core/limits.h"
#include "picture.h"

namespace reanima::pictures {

/// The compression library and its version, on which the bytes depend: `libdeflate 1.14`.
[[nodiscard]] std::string_view pngWriter();

/// An RGB file, or RGBA if any pixel is transparent. Equal pictures give equal bytes.
[[nodiscard]] core::ByteVector encodePng(const Picture& picture);

/// Encodes a texture. If it has up to 256 colours, as most textures do, the file has a palette.
[[nodiscard]] core::ByteVector encodePng(const core::Image& image);

/// Adds a note for programs to a file made by encodePng(): a tEXt chunk with the keyword `reanima`, before the pixels.
/// @param note ASCII
[[nodiscard]] core::ByteVector withNote(core::Bytes png, std::string_view note);

/// A PNG file and its note, separated.
struct NotedPng {
    std::string note;
    core::ByteVector png;  ///< without the note
};

/// Separates a file from its note. Empty if the file has no note, or is not a PNG.
[[nodiscard]] std::optional<NotedPng> noteIn(core::Bytes file);

/// An animated PNG (the APNG specification 1.0, now in PNG's third edition). Made part by part: head(), frame() for
/// each picture in order, end(). Programs without APNG support show the first picture.
class AnimatedPng {
  public:
    /// @param images states the size, the rate, and whether pixels may be transparent
    /// @param count number of the following pictures
    AnimatedPng(const core::ImageSequence& images, std::uint32_t count);

    [[nodiscard]] core::ByteVector head() const;
    [[nodiscard]] core::ByteVector frame(const Picture& picture);
    [[nodiscard]] static core::ByteVector end();

  private:
    std::uint32_t count_;
    std::uint32_t width_;
    std::uint32_t height_;
    std::uint16_t delayNumerator_;  ///< seconds per picture, as a fraction
    std::uint16_t delayDenominator_;
    bool hasAlpha_;
    std::uint32_t sequence_ = 0;  ///< sequence number of the next chunk with such a number
};

/// A PNG of any kind as RGBA.
/// @throws core::DecodeError if it is not a PNG, damaged, or larger than the limits
[[nodiscard]] Picture decodePng(core::Bytes file, const core::Limits& limits);

}  // namespace reanima::pictures
