/// Changes the number of frames of a motion: shared by the formats of games that play frame by frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "../core/bytes.h"
#include "../core/decode_error.h"
#include "../core/nearest_angles.h"
#include "angle_frames.h"

namespace reanima {

struct RetimeSettings {
    enum class Direction {
        more,   ///< n frames become times * n: every `times`-th is one of the old ones
        fewer,  ///< every `times`-th frame stays, from the first on
    };
    Direction direction = Direction::more;
    std::uint32_t times = 2;
    /// True for the Clip::index of a looping clip: frames after its last one lead to the first; in other clips they
    /// repeat the last one. Empty: no clip loops.
    std::function<bool(std::uint32_t)> loops{};
};

struct RetimedFile {
    core::ByteVector bytes;
    std::uint32_t animations = 0;         ///< number of changed animations
    std::vector<core::DecodeError> left;  ///< why animations keep their frames: the format can't store more
    std::vector<core::DecodeError> cut;   ///< animations whose number of frames is not a multiple of `times`
    /// The median, over all changing angles, of their average step in degrees between neighbouring frames. 0 if none
    /// changes.
    double usualStep = 0;
};

/// The position of a frame among the old ones.
struct FramePlace {
    std::size_t from = 0;
    std::size_t to = 0;
    double share = 0;  ///< of the distance to `to`; 0: it is `from`
};

/// @param frames number of frames; at least 1
[[nodiscard]] std::vector<FramePlace> framePlaces(std::size_t frames, const RetimeSettings& settings, bool isLoop);

/// Angles for rotations between two others, along the shorter arc at constant speed.
class AnglesBetween {
  public:
    AnglesBetween(const core::RealAngles& from, const core::RealAngles& to, const core::Factors& factors);
    /// Of all equivalent angles, those nearest to the linear mix of the two.
    [[nodiscard]] core::RealAngles at(double share) const;

  private:
    core::RealAngles from_;
    core::RealAngles change_{};  // by the shorter way about each axis
    core::Factors factors_;
    bool isPlain_;  // at most one angle changes, so it is interpolated linearly
    glm::dquat first_{1, 0, 0, 0};
    glm::dquat last_{1, 0, 0, 0};
};

/// Positions and angles at the new frames. Old frames keep their numbers; new ones are multiples of 1 << `keyBits`. A
/// loop whose displacement exceeds that of any single frame ends where it did before.
[[nodiscard]] AngleFrames retimed(const AngleFrames& frames, core::AxisOrder order, unsigned keyBits,
                                  const RetimeSettings& settings, bool isLoop);

/// The average steps of angles, in degrees.
class StepMedian {
  public:
    /// @param sum of the steps of one angle in all frames
    /// @param steps their number
    void add(double sum, std::size_t steps);
    [[nodiscard]] double median() const;  ///< 0 without steps

  private:
    std::vector<float> averages_;
};

void addSteps(const AngleFrames& frames, StepMedian& steps);

}  // namespace reanima
