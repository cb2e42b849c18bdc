/// A reference pose for a source skeleton that has no rest pose of its own.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "bind.h"

namespace reanima::motion {

using namespace core;

/// A joint that was turned, and how far.
struct MatchedJoint {
    std::uint32_t joint = 0;  ///< of the source
    double degrees = 0;
};

/// A bone whose turn about its own direction no direction tells, while a pose is matched from the root on.
struct OpenBone {
    std::uint32_t joint = 0;                ///< of the source
    std::optional<glm::dvec3> axis;         ///< its direction in model space; none where nothing tells it
    const std::vector<glm::dquat>& turned;  ///< source joints in model space: itself and the ones before it
};

struct FoundRoll {
    glm::dquat turn;  ///< in model space: about the bone's axis, or whole where it has none
    RollFrom from = RollFrom::mean;
};

/// A joint as the directions of its bones turn it.
struct TurnedBone {
    std::uint32_t joint = 0;  ///< of the source
    glm::dquat rotation;      ///< in model space
    bool isOpen = false;      ///< the directions leave its roll open: there are none, or they lie along one line
};

/// The whole rotation of a joint, in model space.
struct FoundStance {
    glm::dquat rotation;
    RollFrom from = RollFrom::face;
};

/// The turn of an open bone, if something tells it.
using RollRule = std::function<std::optional<FoundRoll>(const OpenBone&)>;

/// The rotation in model space of a source joint whose place in the reference pose its bones don't tell: a head, a
/// hand, a foot.
/// @param bone its rotation is what the directions of bones lead to
using StanceRule = std::function<std::optional<FoundStance>(const TurnedBone& bone)>;

/// What directions of bones leave open, or get wrong.
struct RestRules {
    RollRule roll{};
    StanceRule stance{};
};

/// A bone whose roll was found.
struct RolledJoint {
    std::uint32_t joint = 0;  ///< of the source
    double degrees = 0;       ///< by which what follows it is turned about its bone, at all times
    RollFrom from = RollFrom::mean;
};

struct MatchedPose {
    Pose pose;                         ///< local, one transform per source joint
    std::vector<MatchedJoint> turned;  ///< linked joints that have a direction
    std::vector<RolledJoint> rolled;
};

/// The source in the target's rest pose: starting from its own rest, and from the root on, every linked joint is turned
/// by the smallest rotation after which its bones point where the target's do. A bone leads to the next linked joint,
/// or to the end where there is none; with several the rotation is the best one for all. The root is put where the
/// target's is, by the scale.
/// @param rules rolls come on top of the smallest rotation, a stance in place of both. Links that state a roll need
/// neither
[[nodiscard]] MatchedPose matchRest(const Skeleton& source, const Skeleton& target, const std::vector<JointLink>& links,
                                    const RestRules& rules = {});

}  // namespace reanima::motion
