/// Colours of games, which are stored as screens show them, as renderers calculate with them.
#pragma once

#include <cstdint>

namespace reanima::core {

/// The linear value, from 0 to 1, of an sRGB one (IEC 61966-2-1). The same bits on every machine.
[[nodiscard]] float linearFromSrgb(std::uint8_t value);

}  // namespace reanima::core
