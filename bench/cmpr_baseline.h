/// A simple decoder of Metroid Prime's CMPR textures: block by block, texel by texel.
#pragma once

#include <cstdint>
#include <vector>

namespace reanima::bench {

/// @param data a whole picture in blocks, not checked
/// @return red, green, blue and alpha of every texel, beginning with the last row
std::vector<std::uint8_t> decodeCmprPlainly(const std::uint8_t* data, std::uint32_t width, std::uint32_t height);

}  // namespace reanima::bench
