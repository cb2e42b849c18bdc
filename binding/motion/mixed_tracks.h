/// Tracks of target joints that depend on several joints of the source.
#pragma once

#include "source_motion.h"

namespace reanima::motion {

using namespace core;

/// For chains of different lengths, joints whose parent is not the anatomical one, twist joints and IK targets.
class MixedTracks {
  public:
    /// @param linked, binding outlive this
    MixedTracks(const LinkedSkeletons& linked, const Binding& binding) : linked_(linked), binding_(binding) {}

    /// True if a joint's rotation can't be computed from one source joint and the nearest linked ancestor.
    [[nodiscard]] static bool needs(const LinkedSkeletons& linked, std::uint32_t joint);

    /// A joint's rotation from the poses of both skeletons.
    [[nodiscard]] Channel<glm::quat> rotation(Clip& bound, const SourceMotion& motion, std::uint32_t joint) const;
    /// The translation with which a carried joint keeps its offset from its carrier.
    [[nodiscard]] Channel<glm::vec3> translation(Clip& bound, const SourceMotion& motion, const JointLink& link) const;
    /// Adds tracks of twist joints, which take their share of a roll, and of IK targets, which keep their offset.
    void addOthers(Clip& bound, const SourceMotion& motion) const;

  private:
    [[nodiscard]] Channel<glm::vec3> translation(Clip& bound, const SourceMotion& motion, std::uint32_t joint,
                                                 std::uint32_t carrier) const;

    const LinkedSkeletons& linked_;
    const Binding& binding_;
};

}  // namespace reanima::motion
