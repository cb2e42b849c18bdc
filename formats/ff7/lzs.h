/// The packing of Final Fantasy VII's files (LZS): literal bytes, and references into the last 4096 bytes.
///
/// Layout and evidence: docs/formats/ff7_field.md
#pragma once

#include <cstdint>

#include "core/bytes.h"

namespace reanima::ff7 {

/// At most so many bytes come out of one that goes in: 18 of two.
inline constexpr std::uint64_t kLzsRatio = 9;

/// What the packed bytes hold, up to `most` bytes of it. The stream states no size and ends with its input, be it in
/// the middle of a group; what is left of a reference there is ignored. Every input can be unpacked.
/// @param packed without the word that states its size
/// @param most never more than 9 times the input is held
[[nodiscard]] core::ByteVector unpackLzs(core::Bytes packed, std::uint64_t most);

}  // namespace reanima::ff7
