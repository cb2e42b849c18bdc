/// The roll of bones in a reference pose, for sources that store no rest pose.
///
/// Bone directions do not determine the roll. The motion does: elbows and knees are hinges, soles are level, and over
/// all clips the mean rotation of other joints relative to their parents is zero.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "binding/motion/linked_skeletons.h"
#include "binding/motion/source_rest.h"
#include "roles.h"

namespace reanima::roles {

/// The rolls of a source's bones on a target.
class BoneRolls {
  public:
    /// @param source, poses, sourceRoles, targetRoles outlive this; roles are those of linked joints
    /// @param poses of the source, over all its clips
    BoneRolls(const core::Skeleton& source, const std::vector<motion::Globals>& poses, const Anatomy& sourceRoles,
              const core::Skeleton& target, const Anatomy& targetRoles, const std::vector<motion::JointLink>& links);

    /// The roll of a bone whose direction does not determine it; none if unknown.
    [[nodiscard]] std::optional<motion::FoundRoll> of(const motion::OpenBone& bone) const;

  private:
    /// Where the body faces at rest.
    struct Facing {
        glm::dvec3 front;
        glm::dvec3 up;
    };
    /// The mean of a twist over all frames.
    struct MeanTwist {
        double angle = 0;
        double variance = 0;
    };

    [[nodiscard]] std::optional<Facing> facingOf(const Anatomy& anatomy) const;
    [[nodiscard]] std::optional<std::uint32_t> linkedAbove(std::uint32_t joint) const;
    /// Converts a direction in a frame to the reference pose, as if the direction were fixed to the joint.
    [[nodiscard]] static glm::dvec3 seenBy(const motion::OpenBone& bone, const motion::Globals& pose,
                                           const glm::dvec3& direction);
    [[nodiscard]] MeanTwist twistAgainst(std::uint32_t above, const motion::OpenBone& bone) const;

    [[nodiscard]] std::optional<glm::dvec3> endOf(const motion::Globals& pose, std::uint32_t joint) const;
    [[nodiscard]] std::optional<glm::dvec3> bendAtRest(const Role& role, const glm::dvec3& axis) const;
    [[nodiscard]] std::optional<motion::FoundRoll> byHinge(const motion::OpenBone& bone) const;
    [[nodiscard]] std::optional<double> angleOfSole(const motion::OpenBone& bone) const;
    [[nodiscard]] std::optional<motion::FoundRoll> bySole(const motion::OpenBone& bone) const;
    [[nodiscard]] std::optional<motion::FoundRoll> byMean(const motion::OpenBone& bone) const;

    const core::Skeleton& source_;
    const Anatomy& sourceRoles_;
    const Anatomy& targetRoles_;
    std::vector<bool> isLinked_;                  // per source joint
    const std::vector<motion::Globals>& frames_;  // of the source
    motion::Globals rest_;                        // of the target
    std::optional<Facing> facing_;                // of the target
};

}  // namespace reanima::roles
