/// A simple reader of battle animations that follows the published description: bit by bit, frame by frame, without
/// checks.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace reanima::bench {

/// Running values of one frame, as in the published structures.
struct PublishedFrame {
    std::array<std::int16_t, 3> translation{};
    std::vector<std::array<std::int16_t, 3>> rotations;
};

/// Decodes one chunk, which begins with five bytes of fields, into frames of `rotationCount` triples.
std::vector<PublishedFrame> decodePublished(const std::uint8_t* chunk, int rotationCount);

}  // namespace reanima::bench
