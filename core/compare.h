/// How far two motions of one skeleton are apart, and where.
#pragma once

#include "pose.h"

namespace reanima::core {

/// The largest difference of one kind.
struct Deviation {
    double value = 0;
    std::uint32_t joint = 0;
    double time = 0;  ///< seconds
};

struct Comparison {
    Deviation distance;  ///< metres between the positions of a joint in model space
    Deviation angle;     ///< degrees between the rotations of a joint in model space, 0 to 180
};

/// The angle between two rotations in degrees, 0 to 180: exact for small ones too, which the arc cosine is not. For
/// reports: it comes from libm. What decides about an output compares cosines.
/// @param a need not be of unit length, nor `b`; neither may be 0
[[nodiscard]] double degreesBetween(const glm::dquat& a, const glm::dquat& b);
/// The same for what two matrices turn by: their scale does not count. They must not be mirrored or flat.
[[nodiscard]] double degreesBetween(const glm::dmat4& a, const glm::dmat4& b);

/// The times at which clips are compared: all keys, ascending, and then the middles between neighbours.
[[nodiscard]] std::vector<double> keyTimesAndMiddles(std::initializer_list<const Clip*> clips);

/// Two poses, both at `time`.
[[nodiscard]] Comparison comparePoses(const Skeleton& skeleton, const Pose& a, const Pose& b, double time = 0);

/// Two clips, at the keys of both and half-way between neighbouring keys.
[[nodiscard]] Comparison compareClips(const Skeleton& skeleton, const Clip& a, const Clip& b);

}  // namespace reanima::core
