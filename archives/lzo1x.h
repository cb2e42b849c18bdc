/// LZO1X, a compressed stream of literals and copies of what went before.
///
/// Layout: docs/formats/metroid_pak.md
#pragma once

#include <cstdint>
#include <span>

#include "core/bytes.h"
#include "core/decode_error.h"

namespace reanima::archives {

/// Decompresses a stream with its end mark, which must fill `out` exactly.
/// @param place of the stream, for errors
/// @throws core::DecodeError if the stream is cut, copies from before its beginning, or gives another number of bytes
void decompressLzo1x(core::Bytes stream, std::span<std::uint8_t> out, const core::Place& place);

}  // namespace reanima::archives
