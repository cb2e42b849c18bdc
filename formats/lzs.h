/// The compression of Final Fantasy VII and VIII (LZS): literal bytes, and references into the last 4096 bytes.
///
/// Layout and evidence: docs/formats/ff7_field.md
#pragma once

#include <cstdint>

#include "core/bytes.h"

namespace reanima {

/// The largest number of output bytes per input byte: a reference of 2 bytes stands for up to 18.
inline constexpr std::uint64_t kLzsRatio = 9;

/// Unpacks up to `most` bytes. The stream states no size and ends with its input, possibly inside a group. An
/// incomplete reference at the end is ignored. Every input can be unpacked.
/// @param packed the stream, without the word that states its size
/// @param most the largest number of output bytes; no more than 9 times the input is allocated
[[nodiscard]] core::ByteVector unpackLzs(core::Bytes packed, std::uint64_t most);

}  // namespace reanima
