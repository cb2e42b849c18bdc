/// Fewer keys, with an error that is measured where it is seen: on the posed skeleton.
#pragma once

#include "compare.h"

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

}  // namespace reanima::core
