/// Fewer keys, with an error that is measured where it is seen: on the posed skeleton.
#pragma once

#include <span>
#include <vector>

#include "pose.h"

namespace reanima::core {

struct Reduction {
    std::size_t keysBefore = 0;
    std::size_t keysAfter = 0;
    double worst = 0;  ///< metres between the positions of a joint or bone's end, at every old key and half-way between
    double mean = 0;   ///< metres, over all joints and those times
    Deviation where{};
};

/// Leaves out keys that the ones around them stand for, as long as no joint is off by more than `tolerance` metres.
Reduction reduceKeys(const Skeleton& skeleton, Clip& clip, double tolerance);

/// The same for the clips of one file, except for those that would then take more room in it: where every channel has
/// its keys at the same times, those are stored once, and a few keys less may need many lists of times.
/// @param bytesOfRotation what a file takes for one
/// @return one per clip
std::vector<Reduction> reduceWhereSmaller(const Skeleton& skeleton, std::span<Clip> clips, double tolerance,
                                          std::size_t bytesOfRotation = sizeof(glm::quat));

}  // namespace reanima::core
