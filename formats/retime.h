/// The same motion in more or fewer frames: what formats of games share that play files frame by frame.
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
    /// True for the clip of that Clip::index, if its end leads to its start: frames after its last one lead there; in
    /// others they are like the last one. Empty: none does.
    std::function<bool(std::uint32_t)> loops{};
};

struct RetimedFile {
    core::ByteVector bytes;
    std::uint32_t animations = 0;         ///< that have other frames now
    std::vector<core::DecodeError> left;  ///< why animations keep their frames: the format has no room for more
    std::vector<core::DecodeError> cut;   ///< animations whose number of frames is not a multiple of `times`
    /// Degrees by which an angle that changes at all in an animation does so from a frame of the file to the next, on
    /// average; the median of all of them. 0 if none does.
    double usualStep = 0;
};

/// Where a frame lies among the old ones.
struct FramePlace {
    std::size_t from = 0;
    std::size_t to = 0;
    double share = 0;  ///< of the distance to `to`; 0: it is `from`
};

/// @param frames that there are; at least 1
[[nodiscard]] std::vector<FramePlace> framePlaces(std::size_t frames, const RetimeSettings& settings, bool isLoop);

/// Angles for rotations between two others, on the shorter way from one to the other at constant speed.
class AnglesBetween {
  public:
    AnglesBetween(const core::RealAngles& from, const core::RealAngles& to, const core::Factors& factors);
    /// Of all angles that make the rotation, those nearest to the ones that lie as far between the two.
    [[nodiscard]] core::RealAngles at(double share) const;

  private:
    core::RealAngles from_;
    core::RealAngles change_{};  // by the shorter way about each axis
    core::Factors factors_;
    bool isPlain_;  // no more than one angle changes: it does so evenly
    glm::dquat first_{1, 0, 0, 0};
    glm::dquat last_{1, 0, 0, 0};
};

/// Places and angles in other frames. Frames that were there keep their numbers; those between are multiples of
/// 1 << `keyBits`. A loop that moves over the ground by more than it does in any frame ends where it ended.
[[nodiscard]] AngleFrames retimed(const AngleFrames& frames, core::AxisOrder order, unsigned keyBits,
                                  const RetimeSettings& settings, bool isLoop);

/// The average steps of angles, in degrees.
class StepMedian {
  public:
    /// @param sum of the steps of one angle in all frames
    /// @param steps how many there are
    void add(double sum, std::size_t steps);
    [[nodiscard]] double median() const;  ///< 0 without steps

  private:
    std::vector<float> averages_;
};

void addSteps(const AngleFrames& frames, StepMedian& steps);

}  // namespace reanima
