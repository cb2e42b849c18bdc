/// The target of a binding in motion, in model space: for joints whose rotation depends on several source joints.
#pragma once

#include "source_motion.h"

namespace reanima::motion {

using namespace core;

/// A target while its source moves. Linked joints follow their links; others keep their local rest pose.
class TargetMotion {
  public:
    /// @param linked, motion outlive this
    TargetMotion(const LinkedSkeletons& linked, double scale, const SourceMotion& motion)
        : linked_(linked), scale_(scale), motion_(motion) {}

    [[nodiscard]] glm::dquat rotation(std::uint32_t joint, float time) const;
    [[nodiscard]] glm::dvec3 position(std::uint32_t joint, float time) const;
    /// Converts a position in model space to a translation relative to the joint's parent.
    [[nodiscard]] glm::dvec3 local(std::uint32_t joint, const glm::dvec3& place, float time) const;
    /// Adds the key times of everything that moves the joint and its ancestors.
    void addKeys(KeyTimes& keys, std::uint32_t joint) const;

  private:
    [[nodiscard]] glm::dquat turnOf(std::uint32_t source, float time) const;
    [[nodiscard]] glm::dquat turnOf(const JointLink& link, float time) const;
    [[nodiscard]] glm::dquat twisted(const TwistShare& twist, float time) const;
    /// The rotation of a joint from its rest pose, in model space.
    [[nodiscard]] glm::dquat turned(std::uint32_t joint, float time) const;
    /// The position of a joint that keeps its offset from another one.
    [[nodiscard]] glm::dvec3 beside(std::uint32_t carrier, std::uint32_t joint, float time) const;

    const LinkedSkeletons& linked_;
    double scale_;
    const SourceMotion& motion_;
};

}  // namespace reanima::motion
