/// What a body is, by where its joints are: whatever their axes, and however its file says its motion.
#pragma once

#include <optional>
#include <vector>

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>

#include "binding/motion/linked_skeletons.h"
#include "roles.h"

namespace reanima::roles {

inline const glm::dvec3 kUpwards(0, 1, 0);

/// None of what has no length.
[[nodiscard]] std::optional<glm::dvec3> unit(const glm::dvec3& direction);
/// The smallest turn from one unit vector to another.
[[nodiscard]] glm::dquat smallestTurn(const glm::dvec3& from, const glm::dvec3& to);
/// The axis of the model space that a direction lies near to, else the direction: people who make a rig put it upright
/// along an axis.
[[nodiscard]] glm::dvec3 nearestAxis(const glm::dvec3& direction);

/// Two directions at right angles: where something faces and what is up there, unless it says what else they are.
struct Frame {
    glm::dvec3 first;
    glm::dvec3 second;
};

/// Where a body faces, by its thighs and shoulders, and where its legs lead up to.
[[nodiscard]] std::optional<Frame> facingOf(const motion::Globals& pose, const Anatomy& roles);

/// The turn after which the rest pose of a skeleton stands upright, if it is somebody who stands, leans or lies: legs
/// and back straight, and what is left the mirror image of what is right, arms however they are held. None else: what a
/// file calls a rest pose may be a bundle of bones, or a frame of a motion.
[[nodiscard]] std::optional<glm::dquat> standingTurn(const core::Skeleton& skeleton, const Anatomy& roles);

/// True if the rest pose of somebody whose arms hang in it is one of the poses of a motion: it may be a frame of that,
/// in which the head looks anywhere. A motion that begins in a T-pose says nothing against that.
[[nodiscard]] bool restsInMotion(const core::Skeleton& skeleton, const std::vector<core::Pose>& poses,
                                 const Anatomy& roles);

/// What is up in the motion of a body: +Y where it stands along that in one of ten poses; else the axis, or its
/// opposite, along which it stands in half of them, if its rest pose stands along that, too, or its feet are on the
/// plane at 0: somebody who lies looks like that otherwise. None where nothing tells.
[[nodiscard]] std::optional<glm::dvec3> upOf(const core::Skeleton& skeleton, const std::vector<motion::Globals>& poses,
                                             const Anatomy& roles);

}  // namespace reanima::roles
