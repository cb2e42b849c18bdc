/// Poses of skeletons, and the difference between two poses or motions.
#pragma once

#include <vector>

#include <glm/mat4x4.hpp>

#include "clip.h"
#include "skeleton.h"

namespace reanima::core {

/// One transform per joint, relative to the parent.
using Pose = std::vector<Transform>;

[[nodiscard]] Pose restPose(const Skeleton& skeleton);  ///< the rest transform of every joint

/// The clip at a time, as glTF players show it. Values are linear between keys, and rotations use the shortest path.
/// Outside the keys, the first or last one is held. Joints without a channel keep their rest.
/// @param clip all its tracks are of joints of the skeleton
[[nodiscard]] Pose samplePose(const Skeleton& skeleton, const Clip& clip, double seconds);

/// The clip at a time, sampled only for some joints. The others keep their rest transform.
/// @param wanted per joint: whether it is sampled
[[nodiscard]] Pose samplePose(const Skeleton& skeleton, const Clip& clip, double seconds,
                              const std::vector<bool>& wanted);

/// A channel's value at a time; `rest` if it has no keys.
[[nodiscard]] glm::vec3 sampleChannel(const Clip& clip, const Channel<glm::vec3>& channel, double seconds,
                                      const glm::vec3& rest);
[[nodiscard]] glm::quat sampleChannel(const Clip& clip, const Channel<glm::quat>& channel, double seconds,
                                      const glm::quat& rest);  ///< the same for rotations

/// Interpolates between two keys like glTF's LINEAR. Rotations use the shortest path at constant speed.
[[nodiscard]] glm::vec3 interpolated(const glm::vec3& a, const glm::vec3& b, float share);
[[nodiscard]] glm::quat interpolated(const glm::quat& a, const glm::quat& b, float share);  ///< the same for rotations

/// T * R * S
[[nodiscard]] glm::dmat4 matrixOf(const Transform& transform);

/// Joint space to model space.
[[nodiscard]] std::vector<glm::dmat4> globalMatrices(const Skeleton& skeleton, const Pose& pose);

/// Joint space to model space in the pose of the meshes. Joints without Joint::bind keep their rest pose.
[[nodiscard]] std::vector<glm::dmat4> bindMatrices(const Skeleton& skeleton);

/// The lowest and highest joint or known bone end, in metres.
struct VerticalExtent {
    double bottom = 0;
    double top = 0;
    [[nodiscard]] double height() const { return top - bottom; }
};
/// The extent of the joints and known bone ends in a pose.
[[nodiscard]] VerticalExtent verticalExtent(const Skeleton& skeleton, const Pose& pose);

/// A clip that shows one pose after another at 30 frames per second.
[[nodiscard]] Clip clipOfPoses(const std::vector<Pose>& poses);

// -- Comparing --------------------------------------------------------------------------------------------------------

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

/// The angle between two rotations in degrees, 0 to 180. Unlike the arc cosine, it is exact for small angles, too. It
/// uses libm, so it is only for reports; decisions about outputs compare cosines.
/// @param a, b of any length except 0
[[nodiscard]] double degreesBetween(const glm::dquat& a, const glm::dquat& b);
/// The angle between the rotations of two matrices, without their scale. They must not be mirrored or flat.
[[nodiscard]] double degreesBetween(const glm::dmat4& a, const glm::dmat4& b);

/// The part of a direction perpendicular to a unit axis.
[[nodiscard]] inline glm::dvec3 across(const glm::dvec3& direction, const glm::dvec3& axis) {
    return direction - axis * glm::dot(direction, axis);
}

/// The times at which clips are compared: all keys, ascending, and then the middles between neighbours.
[[nodiscard]] std::vector<double> keyTimesAndMiddles(std::initializer_list<const Clip*> clips);

/// Compares two poses, both at `time`.
[[nodiscard]] Comparison comparePoses(const Skeleton& skeleton, const Pose& a, const Pose& b, double time = 0);

/// Compares two clips at the keys of both and half-way between neighbouring keys.
[[nodiscard]] Comparison compareClips(const Skeleton& skeleton, const Clip& a, const Clip& b);

}  // namespace reanima::core
