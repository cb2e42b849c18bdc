/// SHA-256, for dumps that identify a file's pixels.
#pragma once

#include <array>
#include <cstdint>

#include "bytes.h"

namespace reanima::core {

/// The hash of these bytes (FIPS 180-4).
[[nodiscard]] std::array<std::uint8_t, 32> sha256(Bytes bytes);

}  // namespace reanima::core
