#include "binding/roles/body.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>
#include <glm/trigonometric.hpp>

#include "core/pose.h"

namespace reanima::roles {

namespace {

using motion::Globals;

constexpr std::array kLimbBones = {std::pair(Part::upperLeg, Part::lowerLeg), std::pair(Part::lowerLeg, Part::foot),
                                   std::pair(Part::foot, Part::toes), std::pair(Part::upperArm, Part::lowerArm),
                                   std::pair(Part::lowerArm, Part::hand)};

/// Checks whether a pose is standing, by the directions of the known limbs.
class Stander {
  public:
    Stander(const Globals& pose, const Anatomy& roles, const Frame& facing)
        : pose_(pose), roles_(roles), up_(facing.second), left_(glm::cross(facing.second, facing.first)) {}

    [[nodiscard]] bool stands() const {
        const double straight = std::cos(glm::radians(25.0));
        const auto back = between(roles_.jointOf(Part::hips), roles_.jointOf(Part::head));
        if (!back || glm::dot(*back, up_) < straight || std::abs(glm::dot(*back, left_)) > kAside)
            return false;
        for (const auto& [from, to] :
             {std::pair(Part::upperLeg, Part::lowerLeg), std::pair(Part::lowerLeg, Part::foot)}) {
            const auto bone = between(roles_.jointOf(from, Side::left), roles_.jointOf(to, Side::left));
            if (!bone || -glm::dot(*bone, up_) < straight)
                return false;
        }
        for (const auto& [from, to] : kLimbBones)
            if (!isMirrored(from, to))
                return false;
        return beginsUpwards();
    }

  private:
    /// A back that begins beside its thighs belongs to a bundle of bones.
    [[nodiscard]] bool beginsUpwards() const {
        const auto left = roles_.jointOf(Part::upperLeg, Side::left);
        const auto right = roles_.jointOf(Part::upperLeg, Side::right);
        if (!left || !right)
            return true;
        constexpr double kApart = 0.3;  // of the distance between the thighs
        const double steep = std::cos(glm::radians(70.0));
        const glm::dvec3 middle = (pose_.positions[*left] + pose_.positions[*right]) / 2.0;
        const double apart = kApart * glm::distance(pose_.positions[*left], pose_.positions[*right]);
        for (const std::uint32_t start : roles_.jointsOf(Part::spine))
            if (const glm::dvec3 way = pose_.positions[start] - middle; glm::length(way) > apart)
                return glm::dot(way, up_) > steep * glm::length(way);
        return true;
    }

    [[nodiscard]] std::optional<glm::dvec3> between(std::optional<std::uint32_t> from,
                                                    std::optional<std::uint32_t> to) const {
        return from && to ? unit(pose_.positions[*to] - pose_.positions[*from]) : std::nullopt;
    }

    /// Also true if a joint is unknown.
    [[nodiscard]] bool isMirrored(Part from, Part to) const {
        const double within = from == Part::upperArm || from == Part::lowerArm ? kArms : kAside;
        const auto one = between(roles_.jointOf(from, Side::left), roles_.jointOf(to, Side::left));
        const auto other = between(roles_.jointOf(from, Side::right), roles_.jointOf(to, Side::right));
        return !one || !other || glm::distance(*one, *other - 2 * glm::dot(*other, left_) * left_) < within;
    }

    static constexpr double kAside = 0.15;  // 9 degrees
    static constexpr double kArms = 0.35;   // 20 degrees: one elbow may be bent more at rest

    const Globals& pose_;
    const Anatomy& roles_;
    glm::dvec3 up_;
    glm::dvec3 left_;
};

}  // namespace

std::optional<glm::dvec3> unit(const glm::dvec3& direction) {
    constexpr double kNothing = 1e-9;
    const double length = glm::length(direction);
    return length > kNothing ? std::optional(direction / length) : std::nullopt;
}

glm::dquat smallestTurn(const glm::dvec3& from, const glm::dvec3& to) {
    constexpr double kOpposite = -0.999999;
    if (glm::dot(from, to) < kOpposite) {
        const glm::dvec3 any = std::abs(from.x) < 0.9 ? glm::dvec3(1, 0, 0) : glm::dvec3(0, 0, 1);
        return glm::angleAxis(glm::radians(180.0), glm::normalize(glm::cross(from, any)));
    }
    const glm::dvec3 axis = glm::cross(from, to);
    return glm::normalize(glm::dquat(1 + glm::dot(from, to), axis.x, axis.y, axis.z));
}

glm::dvec3 nearestAxis(const glm::dvec3& direction) {
    constexpr double kNear = 0.9;  // 25 degrees
    for (int axis = 0; axis < 3; ++axis)
        if (std::abs(direction[axis]) > kNear) {
            glm::dvec3 result(0);
            result[axis] = direction[axis] > 0 ? 1 : -1;
            return result;
        }
    return direction;
}

std::optional<Frame> facingOf(const Globals& pose, const Anatomy& roles) {
    glm::dvec3 left(0);
    for (const Part part : {Part::upperLeg, Part::upperArm}) {
        const auto a = roles.jointOf(part, Side::left);
        const auto b = roles.jointOf(part, Side::right);
        if (!a || !b)
            return std::nullopt;
        if (const auto way = unit(pose.positions[*a] - pose.positions[*b]))
            left += *way;
    }
    const auto leftFoot = roles.jointOf(Part::foot, Side::left);
    const auto rightFoot = roles.jointOf(Part::foot, Side::right);
    const auto leftLeg = roles.jointOf(Part::upperLeg, Side::left);
    const auto rightLeg = roles.jointOf(Part::upperLeg, Side::right);
    if (!leftFoot || !rightFoot)
        return std::nullopt;
    const glm::dvec3 legs =
        pose.positions[*leftLeg] + pose.positions[*rightLeg] - pose.positions[*leftFoot] - pose.positions[*rightFoot];
    const auto front = unit(glm::cross(left, legs));
    if (!front)
        return std::nullopt;
    const auto up = unit(glm::cross(*front, left));
    return up ? std::optional(Frame{*front, *up}) : std::nullopt;
}

std::optional<glm::dquat> standingTurn(const core::Skeleton& skeleton, const Anatomy& roles) {
    const Globals rest = motion::globalsOf(skeleton, core::restPose(skeleton));
    const std::optional<Frame> facing = facingOf(rest, roles);
    if (!facing || !Stander(rest, roles, *facing).stands())
        return std::nullopt;
    return smallestTurn(nearestAxis(facing->second), kUpwards);
}

namespace {

/// The directions of the limbs' bones relative to the body: front, up, left. Empty if the front is unknown.
std::vector<glm::dvec3> limbsOf(const Globals& pose, const Anatomy& roles) {
    std::vector<glm::dvec3> limbs;
    const std::optional<Frame> facing = facingOf(pose, roles);
    if (!facing)
        return limbs;
    const glm::dmat3 seen =
        glm::transpose(glm::dmat3(facing->first, facing->second, glm::cross(facing->second, facing->first)));
    for (const Side side : {Side::left, Side::right})
        for (const auto& [from, to] : kLimbBones) {
            const auto start = roles.jointOf(from, side);
            const auto end = roles.jointOf(to, side);
            const auto bone = start && end ? unit(pose.positions[*end] - pose.positions[*start]) : std::nullopt;
            limbs.push_back(bone ? seen * *bone : glm::dvec3(0));
        }
    return limbs;
}

/// The directions of both upper arms relative to the body: front, up, and away from it. None if they are unknown.
std::optional<std::array<glm::dvec3, 2>> armsOf(const Globals& pose, const Anatomy& roles) {
    const std::optional<Frame> facing = facingOf(pose, roles);
    if (!facing)
        return std::nullopt;
    std::array<glm::dvec3, 2> arms{};
    const glm::dvec3 across = glm::cross(facing->second, facing->first);
    for (const Side side : {Side::left, Side::right}) {
        const auto shoulder = roles.jointOf(Part::upperArm, side);
        const auto elbow = roles.jointOf(Part::lowerArm, side);
        const auto arm = shoulder && elbow ? unit(pose.positions[*elbow] - pose.positions[*shoulder]) : std::nullopt;
        if (!arm)
            return std::nullopt;
        arms[side == Side::left ? 0 : 1] = {glm::dot(*arm, facing->first), glm::dot(*arm, facing->second),
                                            glm::dot(*arm, side == Side::left ? across : -across)};
    }
    return arms;
}

/// True if both arms are lifted alike, as in a rest pose that is not a frame of a motion.
bool armsAreLifted(const Globals& pose, const Anatomy& roles) {
    const auto arms = armsOf(pose, roles);
    constexpr double kHangs = 0.7;
    constexpr double kAlike = 0.1;  // 6 degrees
    return !arms || (glm::distance((*arms)[0], (*arms)[1]) < kAlike && -std::max((*arms)[0].y, (*arms)[1].y) < kHangs);
}

}  // namespace

bool restsInMotion(const core::Skeleton& skeleton, const std::vector<core::Pose>& poses, const Anatomy& roles) {
    const Globals rest = motion::globalsOf(skeleton, core::restPose(skeleton));
    if (armsAreLifted(rest, roles))
        return false;
    const std::vector<glm::dvec3> limbs = limbsOf(rest, roles);
    constexpr double kSame = 0.05;  // 3 degrees
    const auto isSame = [](const glm::dvec3& a, const glm::dvec3& b) { return glm::distance(a, b) < kSame; };
    return std::ranges::any_of(poses, [&](const core::Pose& pose) {
        return std::ranges::equal(limbs, limbsOf(motion::globalsOf(skeleton, pose), roles), isSame);
    });
}

namespace {

/// Checks along which axis a body stands, and whether it is on the ground.
class Uprightness {
  public:
    static std::optional<Uprightness> of(const core::Skeleton& skeleton, const Anatomy& roles) {
        Uprightness result;
        for (std::uint32_t joint = 0; joint < roles.roles.size(); ++joint)
            if (isBody(roles.roles[joint].part))
                result.joints_.push_back(joint);
        for (const Part part : {Part::hips, Part::head})
            result.back_.push_back(roles.jointOf(part));
        for (const Side side : {Side::left, Side::right})
            for (const Part part : {Part::upperLeg, Part::lowerLeg, Part::foot})
                result.legs_.push_back(roles.jointOf(part, side));
        const auto isKnown = [](const std::optional<std::uint32_t>& joint) { return joint.has_value(); };
        if (!std::ranges::all_of(result.back_, isKnown) || !std::ranges::all_of(result.legs_, isKnown))
            return std::nullopt;
        for (const std::size_t hip : {std::size_t{0}, std::size_t{3}})
            for (const std::size_t bone : {hip + 1, hip + 2})
                result.leg_ += glm::length(glm::dvec3(skeleton.joints[*result.legs_[bone]].rest.translation)) / 2;
        return result;
    }

    /// One foot may be lifted, and the back may be bent.
    [[nodiscard]] bool stands(const Globals& pose, const glm::dvec3& up) const {
        const double straight = std::cos(glm::radians(35.0));
        const double bent = std::cos(glm::radians(60.0));
        const auto at = [&](std::optional<std::uint32_t> joint) { return pose.positions[*joint]; };
        const auto back = unit(at(back_[1]) - at(back_[0]));
        const auto legs = unit(at(legs_[0]) + at(legs_[3]) - at(legs_[2]) - at(legs_[5]));
        return back && legs && glm::dot(*back, up) > bent && glm::dot(*legs, up) > straight;
    }

    /// True if back and shins are upright and the feet are on the ground. Then the body sits or squats, or it crawls in
    /// the direction of `up`.
    [[nodiscard]] bool sits(const Globals& pose, const glm::dvec3& up) const {
        const double straight = std::cos(glm::radians(35.0));
        const auto isUpright = [&](std::optional<std::uint32_t> top, std::optional<std::uint32_t> bottom) {
            const auto bone = unit(pose.positions[*top] - pose.positions[*bottom]);
            return bone && glm::dot(*bone, up) > straight;
        };
        return isUpright(back_[1], back_[0]) && isUpright(legs_[1], legs_[2]) && isUpright(legs_[4], legs_[5]) &&
               isOnGround(pose, up);
    }

    [[nodiscard]] bool isOnGround(const Globals& pose, const glm::dvec3& up) const {
        constexpr double kNear = 0.25;  // of a leg: the height of an ankle plus half a step
        const double lowest =
            std::min(glm::dot(pose.positions[*legs_[2]], up), glm::dot(pose.positions[*legs_[5]], up));
        return std::abs(lowest) < kNear * leg_;
    }

    /// True if the body stays on a plane across `up` but not on one across +Y, and its feet are still while it moves. A
    /// body that lies on a floor always has a joint near it; one that floats, swims or is lifted moves its feet.
    [[nodiscard]] bool keepsLevel(const std::vector<Globals>& poses, const glm::dvec3& up) const {
        constexpr double kLevel = 0.04;  // of a leg
        constexpr double kLies = 0.06;
        const double rise = riseOf(poses, up);
        return rise < kLevel * leg_ && riseOf(poses, kUpwards) > std::max(2 * rise, kLies * leg_) &&
               hasStillFeet(poses);
    }

  private:
    Uprightness() = default;

    /// In six of ten poses, the lowest joint is at most this far above its lowest position. In the other poses, a run
    /// may lift both feet.
    [[nodiscard]] double riseOf(const std::vector<Globals>& poses, const glm::dvec3& up) const {
        std::vector<double> levels;
        for (const Globals& pose : poses) {
            double lowest = std::numeric_limits<double>::max();
            for (const std::uint32_t joint : joints_)
                lowest = std::min(lowest, glm::dot(pose.positions[joint], up));
            levels.push_back(lowest);
        }
        std::ranges::sort(levels);
        return levels[levels.size() * 6 / 10] - levels.front();
    }

    /// True if one foot or the other moves much less than the joints do on average.
    [[nodiscard]] bool hasStillFeet(const std::vector<Globals>& poses) const {
        constexpr double kStill = 0.6;
        double all = 0;
        double feet = 0;
        for (std::size_t i = 1; i < poses.size(); ++i) {
            const auto moved = [&](std::uint32_t joint) {
                return glm::distance(poses[i].positions[joint], poses[i - 1].positions[joint]);
            };
            for (const std::uint32_t joint : joints_)
                all += moved(joint) / static_cast<double>(joints_.size());
            feet += std::min(moved(*legs_[2]), moved(*legs_[5]));
        }
        return feet < kStill * all;
    }

    std::vector<std::uint32_t> joints_;               // of the body
    std::vector<std::optional<std::uint32_t>> back_;  // hips, head
    std::vector<std::optional<std::uint32_t>> legs_;  // hip, knee and ankle of both
    double leg_ = 0;
};

}  // namespace

std::optional<glm::dvec3> upOf(const core::Skeleton& skeleton, const std::vector<core::Pose>& poses,
                               const Anatomy& roles) {
    const std::optional<Uprightness> body = Uprightness::of(skeleton, roles);
    if (!body || poses.empty())
        return std::nullopt;
    constexpr std::size_t kSome = 10;
    constexpr std::size_t kMany = 2;
    constexpr std::size_t kStep = 4;  // in a run, both feet are lifted most of the time
    const std::optional<glm::dquat> rest = standingTurn(skeleton, roles);
    const std::vector<Globals> globals = motion::globalsOf(skeleton, poses);
    for (const glm::dvec3& up : {kUpwards, glm::dvec3(0, 0, 1), glm::dvec3(1, 0, 0), glm::dvec3(0, 0, -1),
                                 glm::dvec3(-1, 0, 0), glm::dvec3(0, -1, 0)}) {
        std::size_t stands = 0;
        std::size_t sits = 0;
        std::size_t onGround = 0;
        for (const Globals& pose : globals)
            if (body->stands(pose, up)) {
                ++stands;
                onGround += body->isOnGround(pose, up) ? 1U : 0U;
            } else if (body->sits(pose, up)) {
                ++sits;
            }
        constexpr double kSame = 0.9;
        const bool restsSo = rest && glm::dot(*rest * up, kUpwards) > kSame;
        const bool isOften = up.y > 0 || restsSo || (stands + sits) * kMany >= poses.size();
        if ((restsSo ? stands + sits : stands) * kSome >= poses.size() && isOften &&
            (up.y > 0 || restsSo || kStep * onGround >= stands || (up.y == 0 && body->keepsLevel(globals, up))))
            return up;
    }
    return std::nullopt;
}

}  // namespace reanima::roles
