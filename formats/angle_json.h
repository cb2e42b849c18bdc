/// Converts positions and angles per bone and frame to JSON and back.
#pragma once

#include "angle_frames.h"
#include "core/limits.h"
#include "json/json.h"

namespace reanima {

/// @throws core::DecodeError that names the member unless that is a list of three angles from 0 to 4095
[[nodiscard]] AngleTriple angleTripleFromJson(const JsonReader& json);
/// @throws core::DecodeError that names the member unless that is a list of three 16-bit numbers
[[nodiscard]] Position positionFromJson(const JsonReader& json);

/// Checks that a frame has as many items as frame 0, and at least one.
/// @param what name of the items
/// @throws core::DecodeError that names `json`
void requireAsInFirst(const JsonReader& json, std::size_t first, std::string_view what);

/// Call this before `triples` triples are written as JSON.
/// @throws core::DecodeError of the kind `limit` that names `place`
void requireMemoryForJson(std::uint64_t triples, const core::Limits& limits, const core::Place& place);

/// A list of frames, each with `translation` and `rotations`.
[[nodiscard]] Json toJson(const AngleFrames& frames);
/// @throws core::DecodeError that names the member
void framesFromJson(const JsonReader& json, AngleFrames& frames);

}  // namespace reanima
