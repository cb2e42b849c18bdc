/// How far bones are turned about their own direction in a reference pose, where a source stores none.
///
/// Directions of bones leave that roll open. The motion tells it: elbows and knees are hinges, soles are level, and
/// over all clips nothing else is turned against what carries it, on average.
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

    /// The turn of a bone that matching left open; none where nothing tells it.
    [[nodiscard]] std::optional<motion::FoundRoll> of(const motion::OpenBone& bone) const;

  private:
    /// What the body is turned to at rest.
    struct Facing {
        glm::dvec3 front;
        glm::dvec3 up;
    };
    /// A twist over all frames.
    struct MeanTwist {
        double angle = 0;
        double variance = 0;
    };

    [[nodiscard]] std::optional<Facing> facingOf(const Anatomy& anatomy) const;
    [[nodiscard]] std::optional<std::uint32_t> linkedAbove(std::uint32_t joint) const;
    /// A direction that a joint sees in a frame, as it sees it at rest.
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
