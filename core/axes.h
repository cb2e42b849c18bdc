/// Converts the games' axes to those of every output (right-handed, +Y up, front +Z), and back.
///
/// Each conversion is a rotation C by half a turn, not a mirror, so it is its own inverse. A translation t becomes C t,
/// a local rotation R becomes C R C^-1. Only the vector part of a quaternion changes.
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>

#include "rotation.h"

namespace reanima::core::axes {

/// Final Fantasy VII, VIII and IX: Y down, front -Z. C = half a turn about X.
[[nodiscard]] inline glm::vec3 fromYDown(const glm::vec3& v) { return {v.x, -v.y, -v.z}; }
[[nodiscard]] inline glm::quat fromYDown(const glm::quat& q) {
    return detail::toQuaternion(detail::four(q) * detail::Four{1, -1, -1, 1});
}

/// A position in game units of `scale` metres each. It is rounded to floats once, after the multiplication.
[[nodiscard]] inline glm::vec3 fromYDown(const glm::dvec3& v, double scale) { return fromYDown(glm::vec3(v * scale)); }
[[nodiscard]] inline glm::dvec3 toYDown(const glm::dvec3& v) { return {v.x, -v.y, -v.z}; }
[[nodiscard]] inline glm::dquat toYDown(const glm::dquat& q) { return {q.w, q.x, -q.y, -q.z}; }

/// Metroid Prime: Z up, front +Y. C = half a turn about the bisector of Y and Z.
[[nodiscard]] inline glm::vec3 fromZUp(const glm::vec3& v) { return {-v.x, v.z, v.y}; }
template <typename T>
[[nodiscard]] glm::qua<T> fromZUp(const glm::qua<T>& q) {
    return {q.w, -q.x, q.z, q.y};
}
/// A position in game units of `scale` metres each. It is rounded to floats once, after the multiplication.
[[nodiscard]] inline glm::vec3 fromZUp(const glm::dvec3& v, double scale) { return fromZUp(glm::vec3(v * scale)); }
[[nodiscard]] inline glm::dvec3 toZUp(const glm::dvec3& v) { return {-v.x, v.z, v.y}; }
[[nodiscard]] inline glm::dquat toZUp(const glm::dquat& q) { return fromZUp(q); }

}  // namespace reanima::core::axes
