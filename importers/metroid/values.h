/// The numbers that an animation's keys stand for, and the way back.
///
/// In the game's axes and units; quaternions as stored, which are not always of unit length.
#pragma once

#include <cstdint>
#include <vector>

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>

#include "../../core/rotation.h"
#include "animation.h"

namespace reanima::metroid {

/// The frames that have keys, ascending; the first one is 0.
[[nodiscard]] std::vector<std::uint32_t> keyFrames(const Animation& animation);

/// Number of frames.
[[nodiscard]] std::uint32_t frameCount(const Animation& animation);

/// Where the number of frames stands in the file, for messages.
[[nodiscard]] core::Place frameCountPlace(const Animation& animation);

/// The bones that are moved: in file order, or ascending where the file has tables.
[[nodiscard]] std::vector<std::uint32_t> movedBones(const Animation& animation);

/// Properties times keys: what all values together amount to.
[[nodiscard]] std::uint64_t keyCount(const Animation& animation);

/// The keys of one channel. Of each property: none where the file has none, one where it never changes, else one per
/// key.
struct ChannelValues {
    std::uint32_t bone = 0;
    std::vector<glm::dquat> rotations;
    std::vector<glm::dvec3> translations;
    std::vector<glm::dvec3> scales;
};

/// Reads the values of an animation, channel by channel.
class ValueReader {
  public:
    /// @param animation outlives the reader
    explicit ValueReader(const Animation& animation);

    /// Number of channels.
    [[nodiscard]] std::size_t size() const { return bones_.size(); }
    /// movedBones()
    [[nodiscard]] const std::vector<std::uint32_t>& bones() const { return bones_; }
    [[nodiscard]] ChannelValues operator[](std::size_t channel) const;

  private:
    const Animation& animation_;
    std::vector<std::uint32_t> bones_;
    std::size_t streamKeys_;  // counted once: it takes a walk over the bitmap
    core::SineRotations rotations_;
};

/// How far stored values are from what they were made of.
struct QuantizationError {
    double degrees = 0;
    double translation = 0;  ///< units of the game
    double scale = 0;
};

/// Whole numbers whose components are the sines of the quaternions' vector parts, with the narrowest widths. A channel
/// whose first W is negative is negated, since that of frame 0 has no sign.
/// @param keys one per key, not empty
/// @param signs that of W at every key but the first, 0 or -1
/// @param error in degrees; grows if it is larger than it was
[[nodiscard]] Property quantizeRotations(const std::vector<glm::dquat>& keys, const core::SineRotations& rotations,
                                         std::vector<std::int32_t>& signs, double& error);

/// The largest number that may stand for a quarter turn if all rotations are to fit 16 bits.
inline constexpr std::uint32_t kFinestDivisor = 32767;

/// True if 16 bits reach all of the rotations where `divisor` stands for a quarter turn.
[[nodiscard]] bool rotationsFit(const std::vector<glm::dquat>& keys, std::uint32_t divisor);

/// Whole numbers that give the vectors when multiplied with `multiplier`.
[[nodiscard]] Property quantizeVectors(const std::vector<glm::dvec3>& keys, double multiplier, double& error);

/// A multiplier with which the vectors fit 16 bits: `wanted` if they do.
[[nodiscard]] float multiplierFor(const std::vector<std::vector<glm::dvec3>>& channels, float wanted);

/// The number of bits that every one of the numbers fits as two's complement; 0 if all are 0.
[[nodiscard]] std::uint8_t bitsFor(const std::vector<std::int32_t>& numbers);

}  // namespace reanima::metroid
