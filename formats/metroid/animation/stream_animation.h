/// Animations of type 2: bit-packed changes of numbers.
///
/// Layout and evidence: docs/formats/metroid_anim.md
#pragma once

#include <cstdint>

#include "animation.h"
#include "formats/metroid/reading.h"
#include "judgement.h"

namespace reanima::metroid {

/// Reads everything after the type except the numbers of the stream.
/// @return the bytes of the stream
/// @throws core::DecodeError
[[nodiscard]] core::Bytes readStreamStructure(Reader& file, Animation& animation, const core::Limits& limits,
                                              Judgement& judgement);

/// Reads the numbers of a stream. Its structure must have been read before.
void readStreamNumbers(core::Bytes bytes, StreamAnimation& stream);

/// The number of words of a stream.
[[nodiscard]] std::uint64_t streamWords(const StreamAnimation& stream);

/// Writes everything after the type.
/// @throws core::DecodeError if the numbers of changes and keys differ, or a change does not fit in its bits
void writeStream(Writer& out, const Animation& animation, const StreamAnimation& stream);

}  // namespace reanima::metroid
