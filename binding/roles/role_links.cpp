#include "binding/roles/role_links.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "binding/roles/body.h"
#include "binding/roles/body_points.h"
#include "binding/roles/motion_anatomy.h"
#include "binding/roles/name_anatomy.h"
#include "binding/roles/rest_anatomy.h"
#include "core/pose.h"

namespace reanima::roles {

namespace {

using core::Skeleton;

constexpr std::array kSides = {Side::left, Side::right};

void overlay(const Skeleton& skeleton, const StatedRoles& stated, Anatomy& anatomy) {
    if (anatomy.roles.size() != skeleton.joints.size())
        anatomy.roles.assign(skeleton.joints.size(), {});
    for (std::uint32_t joint = 0; joint < skeleton.joints.size(); ++joint) {
        const auto row = stated.find(skeleton.joints[joint].name);
        const std::optional<Role> role = row == stated.end() ? std::nullopt : roleNamed(row->second);
        if (!role)
            continue;
        const bool isSeveral = role->part == Part::spine || role->part == Part::neck || !isBody(role->part);
        for (Role& other : anatomy.roles)
            if (!isSeveral && other == *role)
                other = {};
        anatomy.roles[joint] = *role;
    }
}

/// Uses only the stated roles if they name a whole body; else adds them to the roles that were found.
/// @return false if they change nothing
bool takeStated(const Skeleton& skeleton, const StatedRoles& stated, Anatomy& anatomy) {
    if (stated.empty())
        return false;
    Anatomy alone;
    overlay(skeleton, stated, alone);
    if (std::all_of(alone.roles.begin(), alone.roles.end(), [](const Role& r) { return r.part == Part::none; }))
        return false;
    alone.seen = missingParts(skeleton, alone);
    if (alone.seen.empty()) {
        alone.family = anatomy.family;
        anatomy = std::move(alone);
    } else {
        overlay(skeleton, stated, anatomy);
        anatomy.seen = missingParts(skeleton, anatomy);
    }
    anatomy.from = Anatomy::From::stated;
    anatomy.confidence = anatomy.seen.empty() ? 1 : 0;
    return true;
}

const std::string kFourLegs = "four legs";
const std::string kHandsOnGround = "hands on the ground";
const std::string kLevelBack = "a horizontal back";
const std::string kExchanged = "left and right are exchanged, according to the toes";

/// Why a pose does not show a body on two legs; empty if it does. The legs show which direction is up, unless they are
/// folded or spread.
std::string postureOf(const std::vector<glm::dmat4>& globals, const Anatomy& anatomy) {
    const auto at = [&](Part part, Side side) {
        const auto joint = anatomy.jointOf(part, side);
        return joint ? std::optional(glm::dvec3(globals[*joint][3])) : std::nullopt;
    };
    const glm::dvec3 hips = *at(Part::hips, Side::middle);
    const glm::dvec3 head = *at(Part::head, Side::middle);
    glm::dvec3 feet(0);
    glm::dvec3 hands(0);
    double leg = 0;
    std::array<double, 2> legs{};
    std::array<double, 2> arms{};
    for (std::size_t i = 0; i < kSides.size(); ++i) {
        const glm::dvec3 thigh = *at(Part::upperLeg, kSides[i]);
        const glm::dvec3 knee = *at(Part::lowerLeg, kSides[i]);
        const glm::dvec3 foot = *at(Part::foot, kSides[i]);
        const glm::dvec3 arm = *at(Part::upperArm, kSides[i]);
        const glm::dvec3 elbow = *at(Part::lowerArm, kSides[i]);
        const glm::dvec3 hand = at(Part::hand, kSides[i]).value_or(elbow);
        legs[i] = glm::distance(thigh, knee) + glm::distance(knee, foot);
        arms[i] = glm::distance(arm, elbow) + glm::distance(elbow, hand);
        leg += legs[i] / 2;
        feet += foot / 2.0;
        hands += hand / 2.0;
    }
    constexpr double kNothing = 1e-9;
    if (leg < kNothing || arms[0] < kNothing || arms[1] < kNothing || glm::distance(hips, feet) < kNothing)
        return "limbs without length";
    const auto alike = [](const std::array<double, 2>& two) {
        return std::min(two[0], two[1]) > 0.7 * std::max(two[0], two[1]);
    };
    if (!alike(legs) || !alike(arms))
        return "left and right limbs of different length";
    constexpr double kSpread = 0.5;  // of a leg, from hips to feet; 0.7 on a chair
    const glm::dvec3 up = glm::distance(hips, feet) > kSpread * leg ? glm::normalize(hips - feet) : kUpwards;
    const double lean = glm::dot(head - hips, up) / std::max(glm::distance(head, hips), kNothing);
    if (glm::dot(hands - feet, up) < 0.25 * leg)
        return lean < 0.7 ? kFourLegs : kHandsOnGround;
    if (lean < 0.6)
        return kLevelBack;
    return {};
}

std::string postureAtRest(const Skeleton& skeleton, const Anatomy& anatomy) {
    return postureOf(core::globalMatrices(skeleton, core::restPose(skeleton)), anatomy);
}

/// Why a body never stands on two legs, at rest or in motion: a person may crawl or lie, but not always. Empty if it
/// stands.
std::string postureOver(const Skeleton& source, const std::vector<core::Clip>& clips, const Anatomy& anatomy) {
    std::string atRest = postureAtRest(source, anatomy);
    if (atRest.empty())
        return {};
    std::map<std::string, std::size_t> seen;
    const std::vector<core::Pose> poses = sampledPoses(source, clips);
    for (const core::Pose& pose : poses)
        ++seen[postureOf(core::globalMatrices(source, pose), anatomy)];
    constexpr std::size_t kSeldom = 10;  // at least one of ten poses
    if (poses.empty())
        return atRest;
    if (kSeldom * seen[std::string()] >= poses.size())
        return {};
    return std::ranges::max_element(seen, {}, [](const auto& each) { return each.second; })->first;
}

/// True if the left limbs are on the right side of a body whose toes point to the front.
bool isExchangedIn(const std::vector<glm::dmat4>& globals, const Anatomy& anatomy) {
    const auto between = [&](std::optional<std::uint32_t> from, std::optional<std::uint32_t> to) {
        return from && to ? glm::dvec3(globals[*to][3] - globals[*from][3]) : glm::dvec3(0);
    };
    glm::dvec3 front(0);
    glm::dvec3 up(0);
    for (const Side side : kSides) {
        const auto foot = anatomy.jointOf(Part::foot, side);
        front += between(foot, anatomy.jointOf(Part::toes, side));
        up += between(foot, anatomy.jointOf(Part::upperLeg, side));
    }
    const glm::dvec3 left =
        between(anatomy.jointOf(Part::upperLeg, Side::right), anatomy.jointOf(Part::upperLeg, Side::left));
    const glm::dvec3 toTheLeft = glm::cross(up, front);
    constexpr double kClearly = 0.5;  // of the value for directions at right angles
    return glm::dot(toTheLeft, left) < -kClearly * glm::length(up) * glm::length(front) * glm::length(left);
}

bool isExchangedAtRest(const Skeleton& rig, const Anatomy& anatomy) {
    return isExchangedIn(core::globalMatrices(rig, core::restPose(rig)), anatomy);
}

/// True if the legs are straight. The toes of a kneeling body point backwards.
bool standsStraight(const std::vector<glm::dmat4>& globals, const Anatomy& anatomy) {
    constexpr double kStraight = 0.95;  // of the length of a leg
    return std::ranges::all_of(kSides, [&](Side side) {
        const auto at = [&](Part part) {
            const auto joint = anatomy.jointOf(part, side);
            return joint ? glm::dvec3(globals[*joint][3]) : glm::dvec3(0);
        };
        const glm::dvec3 knee = at(Part::lowerLeg);
        const double leg = glm::distance(at(Part::upperLeg), knee) + glm::distance(knee, at(Part::foot));
        return glm::distance(at(Part::upperLeg), at(Part::foot)) > kStraight * leg;
    });
}

/// True if sides are exchanged in a standing rest pose. Any other rest pose may be a bundle of bones: then the poses
/// with straight legs decide by majority.
bool isExchangedOver(const Skeleton& source, const std::vector<core::Clip>& clips, const Anatomy& anatomy) {
    const std::vector<core::Pose> poses = sampledPoses(source, clips);
    if (poses.empty() || standingTurn(source, anatomy))
        return isExchangedAtRest(source, anatomy);
    std::size_t straight = 0;
    std::size_t exchanged = 0;
    for (const core::Pose& pose : poses) {
        const std::vector<glm::dmat4> globals = core::globalMatrices(source, pose);
        straight += standsStraight(globals, anatomy) ? 1 : 0;
        exchanged += standsStraight(globals, anatomy) && isExchangedIn(globals, anatomy) ? 1 : 0;
    }
    return 2 * exchanged > straight;
}

constexpr double kNoBody = 0.3;

const char* pluralOf(std::size_t count) { return count == 1 ? "" : "s"; }

}  // namespace

Anatomy anatomyOfRig(const core::Skeleton& rig, const StatedRoles& stated, const core::BodySurface& surface) {
    if (rig.joints.empty())
        return {};
    Anatomy anatomy = anatomyByNames(rig);
    if (!anatomy.seen.empty()) {
        const auto isNamed = [](const Role& role) { return isBody(role.part); };
        Anatomy shape = anatomyAtRest(rig, surface);
        if (shape.confidence > 0 || std::ranges::none_of(anatomy.roles, isNamed))
            anatomy = std::move(shape);
    }
    const bool isStated = takeStated(rig, stated, anatomy);
    if (anatomy.seen.empty()) {
        anatomy.seen = postureAtRest(rig, anatomy);
        if (anatomy.seen.empty() && !isStated && isExchangedAtRest(rig, anatomy))
            anatomy.seen = kExchanged;
        if (!anatomy.seen.empty())
            anatomy.confidence = std::min(anatomy.confidence, kNoBody);
    }
    nameTheRest(rig, anatomy);
    return anatomy;
}

bool isAnimal(const Anatomy& anatomy) {
    const bool isNamed = anatomy.from == Anatomy::From::family || anatomy.from == Anatomy::From::names;
    return isNamed && (anatomy.seen == kFourLegs || anatomy.seen == kHandsOnGround || anatomy.seen == kLevelBack);
}

bool isExchanged(const Anatomy& anatomy) { return anatomy.seen == kExchanged; }

namespace {

/// Gives the role of a spine to joints without a known name that carry the head and both arms: they turn the chest.
void fillSpine(const core::Skeleton& source, Anatomy& anatomy) {
    const auto hips = anatomy.jointOf(Part::hips);
    const auto head = anatomy.jointOf(Part::head);
    const auto left = anatomy.jointOf(Part::upperArm, Side::left);
    const auto right = anatomy.jointOf(Part::upperArm, Side::right);
    if (!hips || !head || !left || !right)
        return;
    for (const std::uint32_t joint : source.ancestors(*head))
        if (anatomy.roles[joint].part == Part::none && source.isBelow(joint, *hips) && source.isBelow(*left, joint) &&
            source.isBelow(*right, joint))
            anatomy.roles[joint] = {Part::spine, Side::middle, 0};
}

}  // namespace

Anatomy anatomyOfSource(const core::Skeleton& source, const std::vector<core::Clip>& clips, const StatedRoles& stated,
                        const core::BodySurface& surface) {
    if (source.joints.empty())
        return {};
    Anatomy anatomy = anatomyByNames(source);
    if (!anatomy.seen.empty())
        anatomy = anatomyByMotion(source, clips, surface);
    const bool isStated = takeStated(source, stated, anatomy);
    const bool isNamed = anatomy.from == Anatomy::From::family || anatomy.from == Anatomy::From::names;
    if (isNamed && anatomy.seen.empty()) {
        anatomy.seen = postureOver(source, clips, anatomy);
        if (anatomy.seen.empty() && !isStated && isExchangedOver(source, clips, anatomy))
            anatomy.seen = kExchanged;
        if (!anatomy.seen.empty())
            anatomy.confidence = kNoBody;
    }
    if (isNamed)
        fillSpine(source, anatomy);
    nameTheRest(source, anatomy);
    return anatomy;
}

namespace {

/// @param base the source joint at which the chain starts
void addChain(const Anatomy& source, const Anatomy& target, Part part, std::optional<std::uint32_t> base,
              std::vector<RoleLink>& links) {
    const std::vector<std::uint32_t> from = source.jointsOf(part);
    const std::vector<std::uint32_t> to = target.jointsOf(part);
    if (from.empty())
        return;
    for (std::size_t i = 0; i < to.size(); ++i) {
        // The whole chain rotates as far as the source's; joints between two source joints get a share of both.
        const std::size_t reached = (i + 1) * from.size();
        const std::size_t whole = reached / to.size();
        const std::size_t rest = reached % to.size();
        motion::JointLink link{from[rest == 0 ? whole - 1 : whole], to[i], {1, 0, 0, 0}, {}, {}, 1, {}};
        if (rest != 0) {
            link.mixedFrom = whole > 0 ? std::optional(from[whole - 1]) : base;
            link.share = link.mixedFrom ? static_cast<double>(rest) / static_cast<double>(to.size()) : 1;
        }
        links.push_back({link, target.roles[to[i]]});
    }
}

/// The last joint of a part: the last spine joint carries the arms, the last neck joint the head.
std::optional<std::uint32_t> lastOf(const Anatomy& anatomy, Part part) {
    const std::vector<std::uint32_t> joints = anatomy.jointsOf(part);
    return joints.empty() ? std::nullopt : std::optional(joints.back());
}

/// The anatomical parent of a joint.
std::optional<std::uint32_t> carrierOf(const Anatomy& anatomy, const Role& role) {
    const auto hips = anatomy.jointOf(Part::hips);
    const auto chest = lastOf(anatomy, Part::spine);
    const auto either = [](std::optional<std::uint32_t> a, std::optional<std::uint32_t> b) { return a ? a : b; };
    switch (role.part) {
        case Part::upperLeg:
            return hips;
        case Part::lowerLeg:
            return anatomy.jointOf(Part::upperLeg, role.side);
        case Part::foot:
            return anatomy.jointOf(Part::lowerLeg, role.side);
        case Part::toes:
            return anatomy.jointOf(Part::foot, role.side);
        case Part::shoulder:
        case Part::neck:
            return either(chest, hips);
        case Part::head:
            return either(lastOf(anatomy, Part::neck), either(chest, hips));
        case Part::upperArm:
            return either(anatomy.jointOf(Part::shoulder, role.side), either(chest, hips));
        case Part::lowerArm:
            return anatomy.jointOf(Part::upperArm, role.side);
        case Part::hand:
            return anatomy.jointOf(Part::lowerArm, role.side);
        default:
            return std::nullopt;
    }
}

/// Exports that contain only deform joints attach limbs to the root. Such limbs keep their offset from their anatomical
/// parent.
void addCarriers(const Skeleton& rig, const Anatomy& anatomy, std::vector<RoleLink>& links) {
    for (RoleLink& link : links) {
        const bool isFirstNeck = link.role.part != Part::neck || anatomy.jointOf(Part::neck) == link.link.target;
        const std::optional<std::uint32_t> carrier = carrierOf(anatomy, link.role);
        const bool isLed = carrier && std::any_of(links.begin(), links.end(),
                                                  [&](const RoleLink& other) { return other.link.target == *carrier; });
        // Spine joints may carry thighs, and the neck may carry collar bones; these still belong to the torso.
        const bool isOnTorso = std::any_of(links.begin(), links.end(), [&](const RoleLink& other) {
            return (other.role.part == Part::spine || other.role.part == Part::neck) &&
                   rig.isBelow(link.link.target, other.link.target);
        });
        if (isLed && isFirstNeck && !isOnTorso && !rig.isBelow(link.link.target, *carrier) &&
            *carrier != link.link.target)
            link.link.carrier = carrier;
    }
}

}  // namespace

std::vector<RoleLink> linksByRoles(const Anatomy& source, const core::Skeleton& rig, const Anatomy& target) {
    std::vector<RoleLink> links;
    const std::optional<std::uint32_t> hips = source.jointOf(Part::hips);
    const std::optional<std::uint32_t> chest = lastOf(source, Part::spine);
    addChain(source, target, Part::spine, hips, links);
    addChain(source, target, Part::neck, chest ? chest : hips, links);
    for (std::uint32_t joint = 0; joint < target.roles.size(); ++joint) {
        const Role& role = target.roles[joint];
        if (!isBody(role.part) || role.part == Part::spine || role.part == Part::neck)
            continue;
        const auto from = std::find(source.roles.begin(), source.roles.end(), role);
        if (from != source.roles.end())
            links.push_back(
                {{static_cast<std::uint32_t>(from - source.roles.begin()), joint, {1, 0, 0, 0}, {}, {}, 1, {}}, role});
    }
    addCarriers(rig, target, links);
    std::sort(links.begin(), links.end(),
              [](const RoleLink& a, const RoleLink& b) { return a.link.target < b.link.target; });
    return links;
}

namespace {

/// Keeps joints without followers that show how another joint rests: toes for a foot, fingers for a hand, the start of
/// the back for a pelvis.
void keepUnlinked(const Anatomy& source, Anatomy& linked) {
    const auto back = linked.jointOf(Part::spine);
    for (std::uint32_t joint = 0; joint < source.roles.size(); ++joint) {
        const Part part = source.roles[joint].part;
        const bool isShown = isFinger(part) || part == Part::toes || (part == Part::spine && back && joint < *back);
        if (isShown && linked.roles[joint].part == Part::none)
            linked.roles[joint] = source.roles[joint];
    }
}

}  // namespace

std::optional<LinkedRoles> rolesAlong(const std::vector<motion::JointLink>& links, const Anatomy& source,
                                      const Anatomy& target) {
    const bool byTarget = target.confidence >= kCertain;
    if (!byTarget && source.confidence < kCertain)
        return std::nullopt;
    LinkedRoles linked;
    linked.source.roles.resize(source.roles.size());
    linked.target.roles.resize(target.roles.size());
    if (byTarget)
        linked.target.roles = target.roles;
    for (const motion::JointLink& link : links) {
        const Role& role = byTarget ? target.roles[link.target] : source.roles[link.source];
        linked.target.roles[link.target] = role;
        if (linked.source.roles[link.source].part == Part::none)
            linked.source.roles[link.source] = role;
    }
    if (source.confidence >= kCertain)
        keepUnlinked(source, linked.source);
    return linked;
}

std::vector<motion::TwistShare> twistsOf(const core::Skeleton& rig, const Anatomy& anatomy) {
    const std::vector<glm::dmat4> globals = core::globalMatrices(rig, core::restPose(rig));
    const auto at = [&](std::uint32_t joint) { return glm::dvec3(globals[joint][3]); };
    std::vector<motion::TwistShare> twists;
    for (const Side side : kSides)
        for (const auto& [start, next] :
             {std::pair(Part::upperArm, Part::lowerArm), std::pair(Part::lowerArm, Part::hand),
              std::pair(Part::upperLeg, Part::lowerLeg)}) {
            const auto limb = anatomy.jointOf(start, side);
            const auto end = anatomy.jointOf(next, side);
            const bool isLower = start == Part::lowerArm;
            const auto other = limb && !isLower ? carrierOf(anatomy, {start, side, 0}) : end;
            if (!limb || !end || !other)
                continue;
            const glm::dvec3 bone = at(*end) - at(*limb);
            for (std::uint32_t joint = 0; joint < rig.joints.size(); ++joint) {
                if (anatomy.roles[joint].part != Part::twist || !rig.isBelow(joint, *limb) ||
                    rig.isBelow(joint, *end) || (!isLower && rig.isBelow(*end, joint)))
                    continue;
                const double place = glm::dot(at(joint) - at(*limb), bone) / std::max(glm::dot(bone, bone), 1e-12);
                const double share = isLower ? place : 1 - place;
                if (share > 0.01 && share <= 1)
                    twists.push_back({joint, *limb, *end, share, *other});
            }
        }
    return twists;
}

std::vector<motion::IkTarget> ikTargetsOf(const core::Skeleton& rig, const Anatomy& anatomy) {
    const std::vector<glm::dmat4> globals = core::globalMatrices(rig, core::restPose(rig));
    const auto at = [&](std::uint32_t joint) { return glm::dvec3(globals[joint][3]); };
    const auto hips = anatomy.jointOf(Part::hips);
    const auto head = anatomy.jointOf(Part::head);
    std::vector<motion::IkTarget> targets;
    if (!hips || !head)
        return targets;
    constexpr double kNear = 0.02;
    const double near = kNear * glm::distance(at(*hips), at(*head));
    for (std::uint32_t joint = 0; joint < rig.joints.size(); ++joint) {
        if (anatomy.roles[joint].part != Part::ik)
            continue;
        for (const Part part : {Part::foot, Part::hand, Part::toes})
            for (const Side side : kSides)
                if (const auto aim = anatomy.jointOf(part, side); aim && glm::distance(at(*aim), at(joint)) <= near &&
                                                                  !rig.isBelow(joint, *aim) &&
                                                                  !rig.isBelow(*aim, joint))
                    targets.push_back({joint, *aim});
    }
    return targets;
}

std::optional<double> legLength(const core::Skeleton& skeleton, const Anatomy& anatomy) {
    const std::vector<glm::dmat4> globals = core::globalMatrices(skeleton, core::restPose(skeleton));
    double sum = 0;
    for (const Side side : kSides) {
        const auto thigh = anatomy.jointOf(Part::upperLeg, side);
        const auto knee = anatomy.jointOf(Part::lowerLeg, side);
        const auto foot = anatomy.jointOf(Part::foot, side);
        if (!thigh || !knee || !foot)
            return std::nullopt;
        const auto at = [&](std::uint32_t joint) { return glm::dvec3(globals[joint][3]); };
        sum += glm::distance(at(*thigh), at(*knee)) + glm::distance(at(*knee), at(*foot));
    }
    return sum > 0 ? std::optional(sum / 2) : std::nullopt;
}

std::optional<double> legRatio(const core::Skeleton& source, const Anatomy& sourceRoles, const core::Skeleton& target,
                               const Anatomy& targetRoles) {
    const std::optional<double> from = legLength(source, sourceRoles);
    const std::optional<double> to = legLength(target, targetRoles);
    return from && to ? std::optional(*to / *from) : std::nullopt;
}

std::string bodyOf(const std::string& family, const std::vector<Role>& roles) {
    const auto count = [&](Part part) { return std::ranges::count(roles, part, &Role::part); };
    std::ptrdiff_t limbs = 0;
    for (const Part part : {Part::upperArm, Part::lowerArm, Part::hand, Part::upperLeg, Part::lowerLeg, Part::foot})
        limbs += count(part);
    std::string text = fmt::format("{}: {} of 12 limbs", family.empty() ? "humanoid" : family, limbs);
    if (const auto spine = count(Part::spine); spine > 0)
        text += fmt::format(", spine {}", spine);
    if (const auto neck = count(Part::neck); neck > 0)
        text += fmt::format(", neck {}", neck);
    if (count(Part::head) > 0)
        text += ", head";
    if (const auto fingers = std::ranges::count_if(roles, isFinger, &Role::part); fingers > 0)
        text += fmt::format(", {} of the fingers", fingers);
    return text;
}

std::string summaryOf(const Anatomy& target, const std::vector<RoleLink>& links) {
    std::vector<Role> roles;
    roles.reserve(links.size());
    for (const RoleLink& link : links)
        roles.push_back(link.role);
    const std::size_t still = target.roles.size() - links.size();
    return fmt::format("{}; {} joint{} keep{} the rest pose", bodyOf(target.family, roles), still, pluralOf(still),
                       still == 1 ? "s" : "");
}

}  // namespace reanima::roles
