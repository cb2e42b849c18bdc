/// Skeletons at one moment.
#pragma once

#include <vector>

#include <glm/mat4x4.hpp>

#include "clip.h"
#include "skeleton.h"

namespace reanima::core {

/// One transform per joint, relative to the parent.
using Pose = std::vector<Transform>;

[[nodiscard]] Pose restPose(const Skeleton& skeleton);

/// The clip at a time, as a glTF player shows it: linear between keys, shortest way for rotations, first and last key
/// held outside. Joints without a channel keep their rest.
[[nodiscard]] Pose samplePose(const Skeleton& skeleton, const Clip& clip, double seconds);

/// A channel's value at a time, likewise; `rest` where it has none.
[[nodiscard]] glm::vec3 sampleChannel(const Clip& clip, const Channel<glm::vec3>& channel, double seconds,
                                      const glm::vec3& rest);
[[nodiscard]] glm::quat sampleChannel(const Clip& clip, const Channel<glm::quat>& channel, double seconds,
                                      const glm::quat& rest);

/// Between two keys, as glTF's LINEAR does it: rotations by the shortest way at constant speed.
[[nodiscard]] glm::vec3 interpolated(const glm::vec3& a, const glm::vec3& b, float share);
[[nodiscard]] glm::quat interpolated(const glm::quat& a, const glm::quat& b, float share);

/// T * R * S
[[nodiscard]] glm::dmat4 matrixOf(const Transform& transform);

/// Joint space to model space.
[[nodiscard]] std::vector<glm::dmat4> globalMatrices(const Skeleton& skeleton, const Pose& pose);

/// Where the joints and the known ends of bones are, bottom and top, in metres.
struct VerticalExtent {
    double bottom = 0;
    double top = 0;
    [[nodiscard]] double height() const { return top - bottom; }
};
[[nodiscard]] VerticalExtent verticalExtent(const Skeleton& skeleton, const Pose& pose);

}  // namespace reanima::core
