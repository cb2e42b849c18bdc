/// Decodes the console's texture formats.
#pragma once

#include <cstdint>
#include <vector>

#include "txtr.h"

namespace reanima::metroid {

/// The size in bytes of a picture that is stored in whole blocks.
[[nodiscard]] std::uint64_t blockBytes(TexelFormat format, std::uint32_t width, std::uint32_t height);

/// Writes the red, green, blue and alpha of every texel of a picture. Missing bytes of the picture are read as zeros.
/// @return the number of texels whose index is not in the palette
std::uint64_t decodeTexels(const Txtr& txtr, Rows rows, std::vector<std::uint8_t>& rgba);

}  // namespace reanima::metroid
