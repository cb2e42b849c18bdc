/// Poses in model space, and the two skeletons of a binding at rest.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>

#include "bind.h"

namespace reanima::motion {

using namespace core;

inline constexpr glm::dquat kNoTurn{1, 0, 0, 0};

/// In double precision, normalized.
[[nodiscard]] inline glm::dquat normalized(const glm::quat& rotation) { return glm::normalize(glm::dquat(rotation)); }

/// A scale as one number: the cube root of the volume if it is not uniform.
[[nodiscard]] double uniformly(const glm::vec3& scale);

/// A pose in model space.
struct Globals {
    std::vector<glm::dquat> rotations;
    std::vector<glm::dvec3> positions;
    std::vector<double> scales;  ///< of lengths in a joint's space, including the joint's own scale
};

[[nodiscard]] Globals globalsOf(const Skeleton& skeleton, const Pose& pose);
[[nodiscard]] std::vector<Globals> globalsOf(const Skeleton& skeleton, const std::vector<Pose>& poses);

/// The largest distance from the first of the positions.
[[nodiscard]] double extentOf(const std::vector<glm::dvec3>& positions);

/// Both skeletons of a binding, in the source's reference pose and the target's rest pose, and their links. Joints for
/// attachments without a link are added at the target's end.
class LinkedSkeletons {
  public:
    /// @param source, binding outlive this
    LinkedSkeletons(const Skeleton& source, const Skeleton& target, const Binding& binding);

    [[nodiscard]] const Skeleton& source() const { return source_; }
    [[nodiscard]] const Skeleton& target() const { return target_; }
    /// The source in its reference pose.
    [[nodiscard]] const Globals& reference() const { return reference_; }
    /// The target in its rest pose.
    [[nodiscard]] const Globals& rest() const { return rest_; }
    /// The link of each target joint; null if it follows nothing.
    [[nodiscard]] const std::vector<const JointLink*>& links() const { return linkOf_; }

    /// The twist share of a target joint; null if it is not a twist joint.
    [[nodiscard]] const TwistShare* twistOf(std::uint32_t target) const;
    /// The entry of an IK target joint; null for others.
    [[nodiscard]] const IkTarget* ikTargetOf(std::uint32_t target) const;

    /// The link of the nearest linked ancestor.
    [[nodiscard]] const JointLink* linkAbove(std::uint32_t target) const;
    /// True if the parents of both joints are linked with each other.
    [[nodiscard]] bool sameParents(const JointLink& link) const;

    /// B: the target joint's rotation in model space while the source is in its reference pose: GT, plus the extra
    /// rotations of the joint and of its unlinked ancestors.
    [[nodiscard]] const glm::dquat& constant(std::uint32_t target) const { return constants_[target]; }
    /// GS_a^-1 B_p: the rotation of the target's parent relative to the source joint of the link `above`.
    [[nodiscard]] glm::dquat parentConstant(std::uint32_t target, const JointLink* above) const;

    /// The target joint that follows a source joint or, if none does, the nearest ancestor that has a follower.
    [[nodiscard]] std::optional<std::uint32_t> targetOf(std::uint32_t source) const;
    /// The target joint of an attachment's source: one that was added for it, or targetOf().
    [[nodiscard]] std::uint32_t followerOf(std::uint32_t source) const;

    /// Binding::rootOffset
    [[nodiscard]] const glm::dvec3& rootOffset() const { return binding_.rootOffset; }

  private:
    void addJointFor(const Attachment& attachment);
    void findConstants();

    const Skeleton& source_;
    const Binding& binding_;
    Skeleton target_;
    Globals reference_;
    Globals rest_;
    std::vector<const JointLink*> linkOf_;                        // per target joint
    std::vector<glm::dquat> constants_;                           // per target joint
    std::vector<std::pair<std::uint32_t, std::uint32_t>> added_;  // source and new target joint
};

}  // namespace reanima::motion
