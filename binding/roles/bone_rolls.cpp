#include "binding/roles/bone_rolls.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "binding/roles/body.h"
#include "core/pose.h"

namespace reanima::roles {

namespace {

using motion::FoundRoll;
using motion::Globals;
using motion::OpenBone;
using motion::RollFrom;

/// The angle from one direction to another about a perpendicular axis.
double angleBetween(const glm::dvec3& from, const glm::dvec3& to, const glm::dvec3& axis) {
    return std::atan2(glm::dot(glm::cross(from, to), axis), glm::dot(from, to));
}

double partAlong(const glm::dquat& turn, const glm::dvec3& axis) {
    return glm::dot(glm::dvec3(turn.x, turn.y, turn.z), axis);
}

FoundRoll about(const glm::dvec3& axis, double angle, RollFrom from) { return {glm::angleAxis(angle, axis), from}; }

}  // namespace

BoneRolls::BoneRolls(const core::Skeleton& source, const std::vector<motion::Globals>& poses,
                     const Anatomy& sourceRoles, const core::Skeleton& target, const Anatomy& targetRoles,
                     const std::vector<motion::JointLink>& links)
    : source_(source),
      sourceRoles_(sourceRoles),
      targetRoles_(targetRoles),
      isLinked_(source.joints.size()),
      frames_(poses),
      rest_(motion::globalsOf(target, core::restPose(target))),
      facing_(facingOf(targetRoles)) {
    for (const motion::JointLink& link : links)
        isLinked_[link.source] = true;
}

/// Up is the direction from the feet to the thighs, left that from the right thigh to the left one.
std::optional<BoneRolls::Facing> BoneRolls::facingOf(const Anatomy& anatomy) const {
    const auto leftLeg = anatomy.jointOf(Part::upperLeg, Side::left);
    const auto rightLeg = anatomy.jointOf(Part::upperLeg, Side::right);
    const auto leftFoot = anatomy.jointOf(Part::foot, Side::left);
    const auto rightFoot = anatomy.jointOf(Part::foot, Side::right);
    if (!leftLeg || !rightLeg || !leftFoot || !rightFoot)
        return std::nullopt;
    const auto& at = rest_.positions;
    const glm::dvec3 left = at[*leftLeg] - at[*rightLeg];
    const glm::dvec3 front = glm::cross(left, at[*leftLeg] + at[*rightLeg] - at[*leftFoot] - at[*rightFoot]);
    if (!(glm::length(front) > 0))
        return std::nullopt;
    return Facing{glm::normalize(front), glm::normalize(glm::cross(front, left))};
}

std::optional<FoundRoll> BoneRolls::of(const OpenBone& bone) const {
    if (frames_.empty())
        return std::nullopt;
    std::optional<FoundRoll> found;
    if (bone.axis && facing_)
        switch (sourceRoles_.roles[bone.joint].part) {
            case Part::upperArm:
            case Part::upperLeg:
                found = byHinge(bone);
                break;
            case Part::foot:
                found = bySole(bone);
                break;
            default:
                break;
        }
    return found || !isBody(sourceRoles_.roles[bone.joint].part) ? found : byMean(bone);
}

std::optional<std::uint32_t> BoneRolls::linkedAbove(std::uint32_t joint) const {
    for (const std::uint32_t above : source_.ancestors(joint))
        if (isLinked_[above])
            return above;
    return std::nullopt;
}

glm::dvec3 BoneRolls::seenBy(const OpenBone& bone, const Globals& pose, const glm::dvec3& direction) {
    return bone.turned[bone.joint] * (glm::conjugate(pose.rotations[bone.joint]) * direction);
}

// ---------------------------------------------------------------------------------------------------------------------
// Elbows and knees

std::optional<glm::dvec3> BoneRolls::endOf(const Globals& pose, std::uint32_t joint) const {
    const Role& role = sourceRoles_.roles[joint];
    const Part next = role.part == Part::lowerArm ? Part::hand : Part::foot;
    if (const auto end = sourceRoles_.jointOf(next, role.side))
        return pose.positions[*end];
    if (const auto& end = source_.joints[joint].end)
        return pose.positions[joint] + pose.rotations[joint] * (pose.scales[joint] * glm::dvec3(*end));
    return std::nullopt;
}

std::optional<glm::dvec3> BoneRolls::bendAtRest(const Role& role, const glm::dvec3& axis) const {
    const bool isArm = role.part == Part::upperArm;
    const auto child = targetRoles_.jointOf(isArm ? Part::lowerArm : Part::lowerLeg, role.side);
    const auto end = targetRoles_.jointOf(isArm ? Part::hand : Part::foot, role.side);
    // A limb that is bent at rest shows its bending direction; a straight one bends in the anatomical direction.
    constexpr double kStraight = 0.35;
    constexpr double kSure = 0.1;
    glm::dvec3 bend = core::across(kStraight * (isArm ? facing_->front : -facing_->front), axis);
    if (child && end) {
        const glm::dvec3 next = rest_.positions[*end] - rest_.positions[*child];
        if (glm::length(next) > 0) {
            // Knees that stand slightly inwards or outwards do not bend sideways: only large bends count.
            constexpr double kSlight = 0.17;  // sine of 10 degrees
            const glm::dvec3 bent = core::across(glm::normalize(next), axis);
            bend += bent * std::clamp((glm::length(bent) - kSlight) / (kStraight - kSlight), 0.0, 1.0);
        }
    }
    return glm::length(bend) > kSure ? std::optional(bend) : std::nullopt;
}

std::optional<FoundRoll> BoneRolls::byHinge(const OpenBone& bone) const {
    const Role& role = sourceRoles_.roles[bone.joint];
    const auto child = sourceRoles_.jointOf(role.part == Part::upperArm ? Part::lowerArm : Part::lowerLeg, role.side);
    const std::optional<glm::dvec3> wanted = bendAtRest(role, *bone.axis);
    if (!child || !wanted)
        return std::nullopt;
    glm::dvec3 sum(0);
    double weight = 0;
    for (const Globals& pose : frames_) {
        const std::optional<glm::dvec3> end = endOf(pose, *child);
        if (!end || !(glm::distance(*end, pose.positions[*child]) > 0))
            continue;
        const glm::dvec3 bent =
            core::across(seenBy(bone, pose, glm::normalize(*end - pose.positions[*child])), *bone.axis);
        sum += bent * glm::length(bent);  // a large bend shows the direction better
        weight += glm::dot(bent, bent);
    }
    constexpr double kBends = 0.02;  // mean square of the sine: 8 degrees
    constexpr double kOneWay = 0.5;
    if (weight < kBends * static_cast<double>(frames_.size()) || glm::length(sum) < kOneWay * weight)
        return std::nullopt;
    return about(*bone.axis, angleBetween(sum, *wanted, *bone.axis), RollFrom::hinge);
}

// ---------------------------------------------------------------------------------------------------------------------
// Feet

/// The roll after which feet have, on average, the same up direction as at rest.
std::optional<double> BoneRolls::angleOfSole(const OpenBone& bone) const {
    glm::dvec3 sum(0);
    for (const Globals& pose : frames_)
        sum += core::across(seenBy(bone, pose, kUpwards), *bone.axis);
    const glm::dvec3 wanted = core::across(facing_->up, *bone.axis);
    constexpr double kLevel = 0.3;
    if (glm::length(wanted) < kLevel || !(glm::length(sum) > kLevel * static_cast<double>(frames_.size())))
        return std::nullopt;
    return angleBetween(sum, wanted, *bone.axis);
}

/// Mixes the mean roll relative to the shin with the roll of a level sole. The mean is right for a foot that never
/// rolls; a foot that rolls stands on its sole.
std::optional<FoundRoll> BoneRolls::bySole(const OpenBone& bone) const {
    const std::optional<std::uint32_t> above = linkedAbove(bone.joint);
    const std::optional<double> sole = angleOfSole(bone);
    if (!above || !sole)
        return std::nullopt;
    const MeanTwist mean = twistAgainst(*above, bone);
    constexpr double kSole = 0.001;  // variance of its angle: 2 degrees
    const double away = std::remainder(*sole - mean.angle, 2 * glm::radians(180.0));
    return about(*bone.axis, mean.angle + away * mean.variance / (mean.variance + kSole), RollFrom::sole);
}

// ---------------------------------------------------------------------------------------------------------------------
// Everything else

BoneRolls::MeanTwist BoneRolls::twistAgainst(std::uint32_t above, const OpenBone& bone) const {
    glm::dvec2 sum(0);  // of squared complex numbers (w, part along the axis): a square's angle is the twist
    double all = 0;
    for (const Globals& pose : frames_) {
        const glm::dquat turn = bone.turned[above] * glm::conjugate(pose.rotations[above]) *
                                pose.rotations[bone.joint] * glm::conjugate(bone.turned[bone.joint]);
        const double s = partAlong(turn, *bone.axis);
        sum += glm::dvec2(turn.w * turn.w - s * s, 2 * turn.w * s);
        all += turn.w * turn.w + s * s;
    }
    constexpr double kLeast = 1e-12;
    const double agreement = std::clamp(glm::length(sum) / std::max(all, kLeast), kLeast, 1.0);
    return {std::atan2(sum.y, sum.x), -2 * std::log(agreement)};
}

std::optional<FoundRoll> BoneRolls::byMean(const OpenBone& bone) const {
    const std::optional<std::uint32_t> above = linkedAbove(bone.joint);
    if (!above)
        return std::nullopt;
    if (bone.axis)
        return about(*bone.axis, twistAgainst(*above, bone).angle, RollFrom::mean);
    glm::dquat sum(0, 0, 0, 0);
    for (const Globals& pose : frames_) {
        const glm::dquat turn = bone.turned[*above] * glm::conjugate(pose.rotations[*above]) *
                                pose.rotations[bone.joint] * glm::conjugate(bone.turned[bone.joint]);
        sum = sum + (glm::dot(sum, turn) < 0 ? -turn : turn);
    }
    constexpr double kNothing = 1e-6;
    if (glm::dot(sum, sum) < kNothing)
        return std::nullopt;
    return FoundRoll{glm::normalize(sum), RollFrom::mean};
}

}  // namespace reanima::roles
