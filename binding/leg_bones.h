/// Two-bone IK of a leg.
#pragma once

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>

#include "binding/legs.h"
#include "binding/motion/linked_skeletons.h"

namespace reanima::binding {

/// The positions of a leg's joints.
struct LegBones {
    glm::dvec3 hip;
    glm::dvec3 knee;
    glm::dvec3 ankle;

    [[nodiscard]] double thigh() const { return glm::distance(hip, knee); }
    [[nodiscard]] double shin() const { return glm::distance(knee, ankle); }
    /// The offset of the knee from the line between hip and ankle, in thigh lengths.
    [[nodiscard]] glm::dvec3 bend() const;
};

[[nodiscard]] LegBones bonesOf(const Leg& leg, const motion::Globals& globals);

/// The largest distance that the ankle may have from the hip.
[[nodiscard]] double reachOf(const LegBones& bones);

/// Rotations in model space that bring the ankle to its target.
struct LegTurns {
    glm::dquat thigh;
    glm::dquat shin;
};

/// @param hip, ankle their target positions
/// @param ahead bending direction of the knee, for a leg that is nearly straight
/// @param bent in thigh lengths: a knee nearer than this to the line between hip and ankle has no reliable direction,
/// so `ahead` is mixed in
[[nodiscard]] LegTurns turnsFor(const LegBones& bones, const glm::dvec3& hip, const glm::dvec3& ankle,
                                const glm::dvec3& ahead, double bent);

}  // namespace reanima::binding
