/// LZO1X, a compressed stream of literals and copies of earlier output.
///
/// Layout: docs/formats/metroid_pak.md
#pragma once

#include <cstdint>
#include <span>

#include "core/bytes.h"
#include "core/decode_error.h"

namespace reanima::archives {

/// Decompresses a stream up to its end mark. The output must fit `out` exactly.
/// @param place where the stream is, for errors
/// @throws core::DecodeError if the stream is truncated, copies from before `out`, or unpacks to another size
void decompressLzo1x(core::Bytes stream, std::span<std::uint8_t> out, const core::Place& place);

}  // namespace reanima::archives
