/// Changes the number of frames of a motion, for games that play frame by frame.
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
        more,   ///< n frames become times * n; every `times`-th is an old frame
        fewer,  ///< every `times`-th frame stays, beginning with the first
    };
    Direction direction = Direction::more;
    std::uint32_t times = 2;
    /// True if the clip with this Clip::index loops. In a loop, new frames after the last old one lead to the first. In
    /// other clips they repeat the last. Empty: no clip loops.
    std::function<bool(std::uint32_t)> loops{};
};

struct RetimedFile {
    core::ByteVector bytes;
    std::uint32_t animations = 0;         ///< number of changed animations
    std::vector<core::DecodeError> left;  ///< why animations stay unchanged: damaged, or too many frames to store
    std::vector<core::DecodeError> cut;   ///< animations whose number of frames is not a multiple of `times`
    /// The median, over all changing angles, of the average step between neighbouring frames in degrees. 0 if none
    /// changes.
    double usualStep = 0;
};

/// The position of a new frame among the old ones.
struct FramePlace {
    std::size_t from = 0;
    std::size_t to = 0;
    double share = 0;  ///< share of the distance from `from` to `to`
};

/// @param frames number of frames; at least 1
[[nodiscard]] std::vector<FramePlace> framePlaces(std::size_t frames, const RetimeSettings& settings, bool isLoop);

/// Angles between two rotations, along the shorter arc at constant speed.
class AnglesBetween {
  public:
    AnglesBetween(const core::RealAngles& from, const core::RealAngles& to, const core::Factors& factors);
    /// The angles of the rotation at `share`. Of all equivalent angles, those nearest to the linear mix.
    [[nodiscard]] core::RealAngles at(double share) const;

  private:
    core::RealAngles from_;
    core::RealAngles change_{};  // change of each angle, by the shorter way
    core::Factors factors_;
    bool isPlain_;  // only one angle changes, or none: it is interpolated linearly
    glm::dquat first_{1, 0, 0, 0};
    glm::dquat last_{1, 0, 0, 0};
};

/// The positions and angles of the new frames. Old frames keep their values. New angles are multiples of 1 <<
/// `keyBits`. In a loop that moves over the ground, new frames after the last old one keep that one's X and Z.
[[nodiscard]] AngleFrames retimed(const AngleFrames& frames, core::AxisOrder order, unsigned keyBits,
                                  const RetimeSettings& settings, bool isLoop);

/// The average steps of angles, in degrees.
class StepMedian {
  public:
    /// @param sum the sum of one angle's steps over all frames
    /// @param steps number of steps
    void add(double sum, std::size_t steps);
    [[nodiscard]] double median() const;  ///< 0 without steps

  private:
    std::vector<float> averages_;
};

void addSteps(const AngleFrames& frames, StepMedian& steps);

}  // namespace reanima
