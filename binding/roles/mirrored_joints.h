/// The joints of a skeleton and their counterparts on the other side of a plane of symmetry.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

#include "core/skeleton.h"

namespace reanima::roles {

class MirroredJoints {
  public:
    using Joint = std::uint32_t;

    explicit MirroredJoints(const core::Skeleton& skeleton);

    /// False if no plane mirrors any joint to another one.
    [[nodiscard]] bool isFound() const { return pairs_ > 0; }
    /// The normal of the plane.
    [[nodiscard]] const glm::dvec3& across() const { return across_; }
    /// The distance from the plane; negative on one side.
    [[nodiscard]] double aside(Joint joint) const { return glm::dot(across_, at(joint)) - offset_; }
    /// The counterpart of a joint; the joint itself if it is on the plane. Parents of counterparts are counterparts.
    [[nodiscard]] std::optional<Joint> mate(Joint joint) const { return mates_[joint]; }
    [[nodiscard]] bool isMiddle(Joint joint) const { return mates_[joint] == joint; }

    [[nodiscard]] std::size_t count() const { return globals_.size(); }
    [[nodiscard]] glm::dvec3 at(Joint joint) const { return {globals_[joint][3]}; }
    [[nodiscard]] const glm::dmat4& global(Joint joint) const { return globals_[joint]; }
    [[nodiscard]] double between(Joint a, Joint b) const { return glm::distance(at(a), at(b)); }
    /// Shorter distances count as zero.
    [[nodiscard]] double nothing() const { return nothing_; }
    [[nodiscard]] const std::vector<Joint>& children(Joint joint) const { return children_[joint]; }
    /// A joint and all its descendants, parents first.
    [[nodiscard]] std::vector<Joint> within(Joint joint) const;
    /// The joints from one joint to another one below it, both included.
    [[nodiscard]] std::vector<Joint> path(Joint top, Joint end) const;
    [[nodiscard]] const core::Skeleton& skeleton() const { return skeleton_; }

  private:
    using Mates = std::vector<std::optional<Joint>>;

    void findPlane();
    void matchBelow(const std::vector<Joint>& ones, const std::vector<Joint>& others, Mates& mates) const;
    [[nodiscard]] std::optional<Joint> nearestMate(Joint joint, const std::vector<Joint>& among,
                                                   const Mates& mates) const;

    const core::Skeleton& skeleton_;
    std::vector<glm::dmat4> globals_;
    std::vector<std::vector<Joint>> children_;
    std::vector<Joint> roots_;
    std::vector<std::size_t> sizes_;  ///< of subtrees
    double nothing_ = 0;
    glm::dvec3 across_{1, 0, 0};
    double offset_ = 0;
    std::size_t pairs_ = 0;
    Mates mates_;
};

}  // namespace reanima::roles
