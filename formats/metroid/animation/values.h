/// The values of an animation's keys. For the inverse see quantize.h.
///
/// Axes and units are the game's. Quaternions are as stored, not always of unit length.
#pragma once

#include <cstdint>
#include <vector>

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>

#include "animation.h"
#include "core/rotation.h"

namespace reanima::metroid {

/// The frames that have keys, ascending. The first one is 0.
[[nodiscard]] std::vector<std::uint32_t> keyFrames(const Animation& animation);

/// Number of frames.
[[nodiscard]] std::uint32_t frameCount(const Animation& animation);

/// The place of the frame count in the file, for messages.
[[nodiscard]] core::Place frameCountPlace(const Animation& animation);

/// The animated bones: in file order for a stream, in ascending order for arrays.
[[nodiscard]] std::vector<std::uint32_t> movedBones(const Animation& animation);

/// The total number of values: properties times keys.
[[nodiscard]] std::uint64_t keyCount(const Animation& animation);

/// The keys of one channel. A property is empty if the file lacks it, has one value if constant, otherwise one per key.
struct ChannelValues {
    std::uint32_t bone = 0;
    std::vector<glm::dquat> rotations;
    std::vector<glm::dvec3> translations;
    std::vector<glm::dvec3> scales;
};

/// Reads the values of an animation, channel by channel.
class ValueReader {
  public:
    /// @param animation must outlive the reader
    explicit ValueReader(const Animation& animation);

    /// Number of channels.
    [[nodiscard]] std::size_t size() const { return bones_.size(); }
    /// The animated bones, see movedBones().
    [[nodiscard]] const std::vector<std::uint32_t>& bones() const { return bones_; }
    [[nodiscard]] ChannelValues operator[](std::size_t channel) const;

  private:
    const Animation& animation_;
    std::vector<std::uint32_t> bones_;
    std::size_t streamKeys_;  // cached: counting scans the bitmap
    core::SineRotations rotations_;
};

}  // namespace reanima::metroid
