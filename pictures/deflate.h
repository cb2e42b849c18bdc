/// Lossless compression.
#pragma once

#include <cstdint>

#include "core/bytes.h"

namespace reanima::pictures {

/// `fast` needs half the time of `small`. The result of `small` is a few percent smaller.
enum class Effort : std::uint8_t { fast, small };

/// A zlib stream (RFC 1950). With the same version of libdeflate, the same bytes become the same stream.
/// @throws std::bad_alloc
[[nodiscard]] core::ByteVector zlibStream(core::Bytes bytes, Effort effort);

}  // namespace reanima::pictures
