/// Lossless compression.
#pragma once

#include <cstdint>

#include "core/bytes.h"

namespace reanima::pictures {

/// `fast` takes half the time of `small`, which saves a few percent.
enum class Effort : std::uint8_t { fast, small };

/// A zlib stream (RFC 1950). The same bytes give the same stream with one version of libdeflate.
/// @throws std::bad_alloc
[[nodiscard]] core::ByteVector zlibStream(core::Bytes bytes, Effort effort);

}  // namespace reanima::pictures
