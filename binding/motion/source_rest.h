/// A reference pose for a source skeleton that has no rest pose of its own.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "bind.h"

namespace reanima::motion {

using namespace core;

/// A joint that was rotated, and how far.
struct MatchedJoint {
    std::uint32_t joint = 0;  ///< of the source
    double degrees = 0;
};

/// A bone whose direction does not determine its roll, while a pose is matched from the root down.
struct OpenBone {
    std::uint32_t joint = 0;                ///< of the source
    std::optional<glm::dvec3> axis;         ///< its direction in model space; none if unknown
    const std::vector<glm::dquat>& turned;  ///< rotations of the source joints in model space, up to this one
};

struct FoundRoll {
    glm::dquat turn;  ///< in model space: about the bone's axis, or a full rotation if it has none
    RollFrom from = RollFrom::mean;
};

/// A joint's rotation that follows from the directions of its bones.
struct TurnedBone {
    std::uint32_t joint = 0;  ///< of the source
    glm::dquat rotation;      ///< in model space
    bool isOpen = true;       ///< its roll is unknown: there are no directions, or they lie along one line
};

/// The whole rotation of a joint, in model space.
struct FoundStance {
    glm::dquat rotation;
    RollFrom from = RollFrom::face;
    bool isGuess = false;  ///< not known from a rest pose, mesh, fingers or mapping
};

/// Finds the roll of an open bone, if possible.
using RollRule = std::function<std::optional<FoundRoll>(const OpenBone&)>;

/// Finds the model-space rotation of a source joint whose bones do not determine its reference pose: a head, a hand, a
/// foot.
/// @param bone with the rotation that the bone directions give
using StanceRule = std::function<std::optional<FoundStance>(const TurnedBone& bone)>;

/// Rules for rotations that bone directions do not determine or get wrong.
struct RestRules {
    RollRule roll{};
    StanceRule stance{};
};

/// A bone whose roll was found.
struct RolledJoint {
    std::uint32_t joint = 0;  ///< of the source
    double degrees = 0;       ///< its follower's constant rotation about the bone
    RollFrom from = RollFrom::mean;
    bool isGuess = true;  ///< see FoundStance
};

struct MatchedPose {
    Pose pose;                         ///< local, one transform per source joint
    std::vector<MatchedJoint> turned;  ///< linked joints that have a direction
    std::vector<RolledJoint> rolled;
};

/// Puts the source into a pose like the target's rest pose. Starting at the root, every linked joint gets the smallest
/// rotation from its own rest pose that makes its bones point as the target's do. A bone points to the next linked
/// joint, or to its end if there is none; with several bones, the best rotation for all is used. The root is put at the
/// position of the target's root, divided by the scale.
/// @param rules rolls are added to the smallest rotation; a stance replaces both. Links that state a roll use neither
[[nodiscard]] MatchedPose matchRest(const Skeleton& source, const Skeleton& target, const std::vector<JointLink>& links,
                                    const RestRules& rules = {});

}  // namespace reanima::motion
