/// Tracks of target joints that depend on several joints of the source.
#pragma once

#include "source_motion.h"

namespace reanima::core {

/// Chains of other lengths, joints that hang elsewhere than in the body, and twist joints.
class MixedTracks {
  public:
    /// @param linked, binding outlive this
    MixedTracks(const LinkedSkeletons& linked, const Binding& binding) : linked_(linked), binding_(binding) {}

    /// True if a joint's rotation can't be had from a single joint of the source and the nearest linked one above.
    [[nodiscard]] static bool needs(const LinkedSkeletons& linked, std::uint32_t joint);

    /// A joint's rotation out of the poses of both.
    [[nodiscard]] Channel<glm::quat> rotation(Clip& bound, const SourceMotion& motion, std::uint32_t joint) const;
    /// A joint with a carrier stays beside it.
    [[nodiscard]] Channel<glm::vec3> translation(Clip& bound, const SourceMotion& motion, const JointLink& link) const;
    /// Twist joints take their share of the roll of the joint at the end of their limb.
    void addTwists(Clip& bound, const SourceMotion& motion) const;

  private:
    const LinkedSkeletons& linked_;
    const Binding& binding_;
};

}  // namespace reanima::core
