/// Packed frames as JSON, and back.
#pragma once

#include <functional>
#include <utility>

#include <nlohmann/json.hpp>

#include "angle_json.h"
#include "packed_frames.h"

namespace reanima {

/// Call this before lists of frames are converted to JSON.
/// @param more number of additional triples of the format, or of values of the same size
/// @throws core::DecodeError of the kind `limit` that names `place`
template <typename Frames>
void requireMemoryForJson(
    const std::vector<Frames>& list, const core::Limits& limits, const core::Place& place,
    const std::function<std::uint64_t(const Frames&)>& more = [](const Frames&) { return 0; }) {
    constexpr std::uint64_t kTexts = 5;  // digits, in values and in their text
    std::uint64_t triples = 0;
    std::uint64_t gaps = 0;
    for (const Frames& frames : list) {
        gaps += frames.gap.size();
        triples += frames.rotations.size() + frames.wide.size() + more(frames);
    }
    requireMemoryForJson(triples, limits.holding((1 + kTexts) * gaps), place);
}

/// Adds `gap`, and for undamaged frames also `frames`, `tail_bits` and `wide`.
void putPacked(Json& json, const PackedFrames& frames);

/// @param triples number of triples per frame
/// @param most highest number of frames
/// @throws core::DecodeError that names the member
void packedFromJson(const JsonReader& json, std::size_t triples, std::size_t most, PackedFrames& frames,
                    DerivedMembers& derived);

}  // namespace reanima
