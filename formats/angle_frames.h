/// A motion as several games store it: a position per frame, and three angles per frame and bone.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "../core/rotation.h"

namespace reanima {

/// Rotations about X, Y and Z in 1/4096 turn, 0 to 4095.
using AngleTriple = std::array<core::Angle, 3>;
/// A position in a game's units.
using Position = std::array<std::int16_t, 3>;

/// All frames have the same number of triples.
struct AngleFrames {
    std::vector<Position> translations;  ///< one per frame
    std::vector<AngleTriple> rotations;  ///< [frame * triples() + triple]

    [[nodiscard]] std::size_t count() const { return translations.size(); }
    [[nodiscard]] std::size_t triples() const { return count() == 0 ? 0 : rotations.size() / count(); }
    /// The number of samples that decoding takes from a core::SampleBudget.
    [[nodiscard]] static constexpr std::uint64_t samples(std::uint64_t frames, std::uint64_t triples) {
        return frames * (1 + triples);
    }
};

}  // namespace reanima
