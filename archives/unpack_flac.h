/// FLAC frames as CHDs store them: 16-bit stereo, without a file header.
#pragma once

#include <cstdint>
#include <span>

#include "core/bytes.h"
#include "core/decode_error.h"

namespace reanima::archives {

using FlacUnpacker = void (*)(core::Bytes packed, std::span<std::uint8_t> out, const core::Place& place,
                              core::Bytes properties);

/// Fills `out` with samples, big-endian. Null in a build without libFLAC.
/// @throws core::DecodeError that names `place` if there are fewer samples, or they are damaged
extern const FlacUnpacker kUnpackFlac;

}  // namespace reanima::archives
