/// The stream of a battle animation: absolute values in frame 0, then bit-packed changes.
///
/// Layout and evidence: docs/formats/ff7_battle_animation.md
#pragma once

#include <algorithm>
#include <cstdint>

#include "battle_animation.h"

namespace reanima::ff7 {

/// Bits of an angle in frame 0 if no low bits are left out.
inline constexpr unsigned kAngleBits = 12;

/// True for a number of low bits that a stream can leave out of every angle.
[[nodiscard]] constexpr bool isLegalKey(unsigned keyBits) {
    return std::find(kKeyBits.begin(), kKeyBits.end(), keyBits) != kKeyBits.end();
}

/// Bits of the first frame, which contains absolute values.
[[nodiscard]] constexpr std::uint64_t firstFrameBits(std::uint64_t rotationCount, unsigned keyBits) {
    return std::uint64_t{3} * 16 + rotationCount * 3 * std::uint64_t{kAngleBits - keyBits};
}

/// The first `wanted` frames of a stream, or fewer if the stream ends earlier.
[[nodiscard]] Frames decodeFrames(core::Bytes stream, unsigned keyBits, std::uint32_t rotationCount,
                                  std::uint32_t wanted);

/// The stream with the shortest codes, except for the wide ones of `wideRuns`. Every angle must be a multiple of 1 <<
/// keyBits.
[[nodiscard]] core::ByteVector encodeFrames(const Frames& frames, unsigned keyBits, std::uint32_t rotationCount);

}  // namespace reanima::ff7
