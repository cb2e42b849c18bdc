/// Removes keys. The error is measured on the posed skeleton, where it is visible.
#pragma once

#include <span>
#include <vector>

#include "pose.h"

namespace reanima::core {

struct Reduction {
    std::size_t keysBefore = 0;
    std::size_t keysAfter = 0;
    double worst = 0;  ///< metres: the largest error of a joint or bone's end, at old keys and half-way between them
    double mean = 0;   ///< metres: the mean error over all joints at those times
    Deviation where{};
};

/// Removes keys that interpolation between their neighbours reproduces, as long as no joint is off by more than
/// `tolerance` metres.
Reduction reduceKeys(const Skeleton& skeleton, Clip& clip, double tolerance);

/// Like reduceKeys() for all clips of one file, but clips that would become larger stay unchanged. A list of times is
/// stored once for all channels that share it, so removing a few keys may turn one list into many.
/// @param bytesOfRotation stored bytes of one rotation
/// @return one per clip
std::vector<Reduction> reduceWhereSmaller(const Skeleton& skeleton, std::span<Clip> clips, double tolerance,
                                          std::size_t bytesOfRotation = sizeof(glm::quat));

}  // namespace reanima::core
