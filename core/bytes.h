/// Byte ranges as every part of the library passes them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace reanima::core {

/// A view of bytes owned elsewhere.
using Bytes = std::span<const std::uint8_t>;

/// Bytes that are owned.
using ByteVector = std::vector<std::uint8_t>;

/// A copy of `bytes` that is owned.
inline ByteVector copyOf(Bytes bytes) { return {bytes.begin(), bytes.end()}; }

}  // namespace reanima::core
