/// Recovers the poses of a game's skeleton from a scene that was made from the skeleton and edited in other programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/vec3.hpp>

#include "rig.h"
#include "scene_motion.h"
#include "similarity.h"
#include "skeleton.h"

namespace reanima::core {

/// A joint's transform relative to its parent in the game's hierarchy.
struct JointPose {
    glm::dquat rotation{1, 0, 0, 0};
    glm::dvec3 translation{0};
    double volume = 1;      ///< volume of a transformed unit cube; negative if mirrored
    double unevenness = 0;  ///< 0 for a uniform scale without shear
    bool isTurned = true;   ///< false: the joint is flat or mirrored, so it has no rotation
    bool isPlaced = true;   ///< false: the joint's parent is flat, so nothing is known
};
using LocalPose = std::vector<JointPose>;

/// The spread of three lengths: the largest divided by the smallest, minus 1; 0 if a length is 0.
[[nodiscard]] double unevennessOf(const glm::dvec3& lengths);

/// Converts poses of a scene to poses of the game's skeleton.
class WayBackToJoints {
  public:
    /// @param skeleton, scene must outlive this object
    /// @param jointRoot only the node of this name and its descendants are joints; empty: all nodes may be joints
    /// @throws DecodeError if the scene lacks joints, has a joint twice, is mirrored, or has a rest pose of another
    /// shape; of the kind `option` if no node is called `jointRoot`, or several are
    WayBackToJoints(const Skeleton& skeleton, const Scene& scene, const std::string& jointRoot);

    [[nodiscard]] std::size_t joints() const { return nodes_.size(); }

    /// True if a motion moves the joints or their ancestors.
    [[nodiscard]] bool moves(const SceneMotion& motion) const;

    /// The tracks of a motion, per node; null for nodes that do not move.
    using Tracks = std::vector<const NodeTrack*>;
    [[nodiscard]] Tracks tracksOf(const SceneMotion& motion) const;
    /// True if a motion has keys for a joint's own node.
    [[nodiscard]] bool hasKeys(const Tracks& tracks, std::uint32_t joint) const {
        return tracks[nodes_[joint]] != nullptr;
    }

    /// The skeleton's joints as the scene shows them at a time in seconds.
    /// @param tracks the result of tracksOf()
    [[nodiscard]] LocalPose at(const Tracks& tracks, double seconds) const;

  private:
    /// The static transforms between a joint and its parent.
    struct Way {
        bool isDirect = false;              ///< the joint's node is a child of the parent's
        bool isRigid = false;               ///< true if isDirect and nothing is sheared in the rest pose
        glm::dquat fromParent{1, 0, 0, 0};  ///< rotation of the parent's `fromAxes_`
        glm::dquat toJoint{1, 0, 0, 0};     ///< rotation of `toAxes_`
        double volume = 1;                  ///< the product of both volumes
    };

    void findMoving();
    void findWays();
    [[nodiscard]] Way wayOf(std::uint32_t joint) const;
    void findAbove(const std::vector<std::uint32_t>& order);
    [[nodiscard]] std::vector<glm::dmat4> globalsAbove(const Tracks& tracks, double seconds) const;
    [[nodiscard]] JointPose directPose(std::uint32_t joint, const Tracks& tracks, double seconds) const;
    [[nodiscard]] JointPose otherPose(std::uint32_t joint, const std::vector<glm::dmat4>& globals) const;
    [[nodiscard]] const glm::dmat4& globalOf(std::uint32_t joint, const std::vector<glm::dmat4>& globals) const {
        return globals[slots_[nodes_[joint]]];
    }
    [[nodiscard]] Place placeOf(std::size_t joint) const;
    void requireProper(const std::vector<glm::dmat4>& rest) const;
    void requireSameShape(const std::vector<glm::dvec3>& from, const std::vector<glm::dvec3>& to) const;

    const Skeleton& skeleton_;
    const Scene& scene_;
    std::vector<std::uint32_t> nodes_;  // per joint: its node
    std::vector<bool> isMoving_;        // nodes that are joints or their ancestors
    Similarity placed_;                 // the position of the game's skeleton in the scene
    glm::dmat3 toGame_{1};              // the inverse of its rotation
    std::vector<glm::dmat3> toAxes_;    // per joint: from its axes in the scene to those in the game
    std::vector<glm::dmat3> fromAxes_;  // per joint: the inverse of toAxes_
    std::vector<Way> ways_;             // per joint
    std::vector<std::uint32_t> above_;  // nodes of non-direct joints and of their parents, and ancestors of both
    std::vector<std::size_t> slots_;    // per node: its index in `above_`
};

}  // namespace reanima::core
