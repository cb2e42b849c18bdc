/// The target of a binding in motion, in model space: for joints whose turn depends on several of the source.
#pragma once

#include "source_motion.h"

namespace reanima::motion {

using namespace core;

/// A target while its source moves. Joints are where their links put them; other ones rest on their parents.
class TargetMotion {
  public:
    /// @param linked, motion outlive this
    TargetMotion(const LinkedSkeletons& linked, double scale, const SourceMotion& motion)
        : linked_(linked), scale_(scale), motion_(motion) {}

    [[nodiscard]] glm::dquat rotation(std::uint32_t joint, float time) const;
    [[nodiscard]] glm::dvec3 position(std::uint32_t joint, float time) const;
    /// A place in model space as a translation below the joint's parent.
    [[nodiscard]] glm::dvec3 local(std::uint32_t joint, const glm::dvec3& place, float time) const;
    /// The times at which what moves the joint and the ones above has keys.
    void addKeys(KeyTimes& keys, std::uint32_t joint) const;

  private:
    [[nodiscard]] glm::dquat turnOf(std::uint32_t source, float time) const;
    [[nodiscard]] glm::dquat turnOf(const JointLink& link, float time) const;
    [[nodiscard]] glm::dquat twisted(const TwistShare& twist, float time) const;
    /// How far a joint is turned from its rest, in model space.
    [[nodiscard]] glm::dquat turned(std::uint32_t joint, float time) const;
    /// Where a joint is that keeps its place beside another one.
    [[nodiscard]] glm::dvec3 beside(std::uint32_t carrier, std::uint32_t joint, float time) const;

    const LinkedSkeletons& linked_;
    double scale_;
    const SourceMotion& motion_;
};

}  // namespace reanima::motion
