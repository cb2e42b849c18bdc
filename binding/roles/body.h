/// Analyses a body by the positions of its joints, independent of their axes and of how the file stores its motion.
#pragma once

#include <optional>
#include <vector>

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>

#include "binding/motion/linked_skeletons.h"
#include "roles.h"

namespace reanima::roles {

inline const glm::dvec3 kUpwards(0, 1, 0);

/// The unit vector of a direction; none for a zero vector.
[[nodiscard]] std::optional<glm::dvec3> unit(const glm::dvec3& direction);
/// The smallest rotation from one unit vector to another.
[[nodiscard]] glm::dquat smallestTurn(const glm::dvec3& from, const glm::dvec3& to);
/// The axis of model space near a direction; if none is near, the direction itself. Most rigs are upright along an
/// axis.
[[nodiscard]] glm::dvec3 nearestAxis(const glm::dvec3& direction);

/// Two directions at right angles: by default front and up.
struct Frame {
    glm::dvec3 first;
    glm::dvec3 second;
};

/// The front of a body, as its thighs and shoulders show it, and its up direction, as its legs show it.
[[nodiscard]] std::optional<Frame> facingOf(const motion::Globals& pose, const Anatomy& roles);

/// The rotation that makes a rest pose stand upright. The body may lean or lie, with its arms in any pose. None if legs
/// and back are not straight, or left and right not mirrored: the stored rest pose may be a bundle of bones or a frame
/// of a motion.
[[nodiscard]] std::optional<glm::dquat> standingTurn(const core::Skeleton& skeleton, const Anatomy& roles);

/// True if a rest pose whose arms hang, or differ, is also a pose of the motion. It may then be just a frame, in which
/// the head looks anywhere. A T-pose remains a rest pose even if the motion begins with it.
[[nodiscard]] bool restsInMotion(const core::Skeleton& skeleton, const std::vector<core::Pose>& poses,
                                 const Anatomy& roles);

/// The up direction in a body's motion; none if unknown. It is the first of +Y, +Z, +X, -Z, -X and -Y along which the
/// body stands in a tenth of the poses; if the rest pose agrees, sitting counts as standing. If the axis is not +Y and
/// the rest pose does not agree, the body may be lying. Then it must stand or sit along the axis in half of the poses,
/// with its feet on the plane at 0; for X and Z, the plane may be elsewhere if the feet stay still.
[[nodiscard]] std::optional<glm::dvec3> upOf(const core::Skeleton& skeleton, const std::vector<core::Pose>& poses,
                                             const Anatomy& roles);

}  // namespace reanima::roles
