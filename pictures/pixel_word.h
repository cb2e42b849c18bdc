/// A colour as a word of its four bytes in memory.
#pragma once

#include <bit>
#include <cstdint>

#include "picture.h"

namespace reanima::pictures {

/// A colour. Red is the lowest byte on a little-endian machine.
using Word = std::uint32_t;

constexpr Word wordOf(const Rgba& colour) { return std::bit_cast<Word>(colour); }
inline constexpr Word kOpaqueBlack = wordOf({0, 0, 0, 255});

}  // namespace reanima::pictures
