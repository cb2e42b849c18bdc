/// Pictures for display: 8 bits per colour, upright.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "../core/image_sequence.h"
#include "../core/mesh.h"

namespace reanima::pictures {

using Rgba = std::array<std::uint8_t, 4>;

/// Pixels row by row from the top, without gaps.
struct Picture {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<Rgba> pixels;

    [[nodiscard]] const Rgba& at(std::uint32_t x, std::uint32_t y) const { return pixels[std::size_t{y} * width + x]; }
    [[nodiscard]] Rgba& at(std::uint32_t x, std::uint32_t y) { return pixels[std::size_t{y} * width + x]; }
};

/// Converts the image of a texture to a picture.
[[nodiscard]] Picture pictureOf(const core::Image& image);

/// Converts 5 bits to 8 by repeating the highest bits: 0 stays 0, 31 becomes 255.
[[nodiscard]] Rgba toRgba(core::Pixel555 pixel);
/// Converts 8 bits to 5, rounding down. The inverse of toRgba().
[[nodiscard]] core::Pixel555 toPixel555(const Rgba& colour);

/// A stored picture for display: colours with 8 bits, the colour key transparent, transposed if necessary.
[[nodiscard]] Picture shown(const core::ImageSequence& sequence, std::span<const core::Pixel555> stored);

enum class StoredAs { rows, columns };

/// The inverse of shown(). Transparency is ignored; only the colour is used.
[[nodiscard]] std::vector<core::Pixel555> stored(const Picture& picture, StoredAs order = StoredAs::rows);

/// For every picture of a sequence, the index of the first picture that looks the same.
[[nodiscard]] std::vector<std::uint32_t> firstAppearances(const core::ImageSequence& sequence);

/// True if picture i equals picture n - 1 - i for every i. There must be at least four pictures, and not all the same.
/// @param first the result of firstAppearances()
[[nodiscard]] bool isPalindrome(const std::vector<std::uint32_t>& first);

}  // namespace reanima::pictures
