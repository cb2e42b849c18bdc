#include "binding/roles/role_matches.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "binding/motion/linked_skeletons.h"
#include "core/decode_error.h"
#include "core/pose.h"

namespace reanima::roles {

namespace {

using core::Skeleton;

bool moves(const std::vector<core::Clip>& clips, std::uint32_t joint) {
    return std::any_of(clips.begin(), clips.end(),
                       [joint](const core::Clip& clip) { return clip.trackOf(joint) != nullptr; });
}

/// The parent's name; empty for a child of the root, because a rig may have a node above it.
std::string parentName(const Skeleton& skeleton, std::uint32_t joint) {
    const std::optional<std::uint32_t> parent = skeleton.parentOf(joint);
    return parent && skeleton.parentOf(*parent) ? skeleton.joints[*parent].name : std::string();
}

}  // namespace

bool hasJointsNamedAlike(const Skeleton& source, const std::vector<core::Clip>& clips, const Skeleton& target) {
    std::size_t count = 0;
    std::size_t missing = 0;
    for (std::uint32_t s = 0; s < source.joints.size(); ++s) {
        if (!moves(clips, s))
            continue;
        const std::optional<std::uint32_t> t = target.find(source.joints[s].name);
        if (t && parentName(source, s) != parentName(target, *t))
            return false;
        ++(t ? count : missing);
    }
    constexpr std::size_t kFew = 10;  // one of ten: games' clips may contain props that a model lacks
    return count > 0 && (missing == 0 || (kFew * missing <= count && isNumberedName(source.joints.front().name)));
}

bool hasOwnJoints(const Skeleton& source, const std::vector<core::Clip>& clips, const Skeleton& target) {
    if (!hasJointsNamedAlike(source, clips, target))
        return false;
    std::vector<std::pair<glm::dvec3, glm::dvec3>> offsets;
    double from = 0;
    double to = 0;
    for (std::uint32_t s = 0; s < source.joints.size(); ++s) {
        const std::optional<std::uint32_t> t = target.find(source.joints[s].name);
        const std::optional<std::uint32_t> above = source.parentOf(s);
        const std::optional<std::uint32_t> other = t ? target.parentOf(*t) : std::nullopt;
        if (!moves(clips, s) || !above || !other || source.joints[*above].name != target.joints[*other].name)
            continue;
        const auto& offset =
            offsets.emplace_back(source.joints[s].rest.translation, target.joints[*t].rest.translation);
        from += glm::length(offset.first);
        to += glm::length(offset.second);
    }
    constexpr double kAlike = 0.03;     // of a bone's length: 2 degrees
    constexpr double kNothing = 0.001;  // of the length of all bones, which is two or three times a person's height
    return std::ranges::all_of(offsets, [&](const auto& pair) {
        const glm::dvec3 own = pair.first * to;
        return glm::distance(own, pair.second * from) <= kAlike * glm::length(own) + kNothing * from * to;
    });
}

std::vector<RoleLink> certainLinks(const Skeleton& source, const Skeleton& target, const Anatomy& sourceRoles,
                                   const Anatomy& targetRoles, const std::vector<std::string>& leftOut) {
    if (!doubtOf(sourceRoles, targetRoles).empty())
        return {};
    std::vector<RoleLink> links = linksByRoles(sourceRoles, target, targetRoles);
    const auto isLeftOut = [&](const std::string& name) {
        return std::find(leftOut.begin(), leftOut.end(), name) != leftOut.end();
    };
    std::erase_if(links, [&](const RoleLink& link) {
        return isLeftOut(source.joints[link.link.source].name) || isLeftOut(target.joints[link.link.target].name);
    });
    return links;
}

std::string doubtOf(const Anatomy& source, const Anatomy& target) {
    if (target.confidence < kCertain)
        return fmt::format("the rig is not recognised as a humanoid: {}", target.seen);
    if (source.confidence < kCertain)
        return fmt::format("the motion is not recognised as humanoid: {}", source.seen);
    return {};
}

void requireMost(const Skeleton& source, const std::vector<core::Clip>& clips,
                 const std::vector<roles::JointMatch>& matches, const std::string& doubt) {
    std::size_t moving = 0;
    std::size_t led = 0;
    for (std::uint32_t s = 0; s < source.joints.size(); ++s) {
        if (!moves(clips, s))
            continue;
        ++moving;
        led += std::any_of(matches.begin(), matches.end(),
                           [s](const roles::JointMatch& match) { return match.link.source == s; })
                   ? 1U
                   : 0U;
    }
    if (2 * led < moving)
        throw core::DecodeError(fmt::format("names match only {} of the {} moving joints, and {}. State in a mapping "
                                            "file which joint follows which",
                                            led, moving, doubt))
            .withHint({"map", "FILE"});
}

void requireLimbs(const Anatomy& source, const std::vector<roles::JointMatch>& matches, const std::string& doubt) {
    for (std::size_t joint = 0; joint < source.roles.size(); ++joint) {
        const Part part = source.roles[joint].part;
        const bool isNeeded =
            part == Part::hips || part == Part::upperLeg || part == Part::lowerLeg || part == Part::upperArm;
        const bool isLed =
            std::ranges::any_of(matches, [&](const roles::JointMatch& match) { return match.link.source == joint; });
        if (isNeeded && !isLed)
            throw core::DecodeError(
                fmt::format("names match no {}, and {}. State in a mapping file which joint follows which",
                            nameOf(source.roles[joint]), doubt))
                .withHint({"map", "FILE"});
    }
}

namespace {

void standOnGround(const Skeleton& source, const Skeleton& target, const Anatomy& targetRoles,
                   motion::Binding& binding) {
    const auto hips = targetRoles.jointOf(Part::hips);
    const auto left = targetRoles.jointOf(Part::foot, Side::left);
    const auto right = targetRoles.jointOf(Part::foot, Side::right);
    const auto root = std::find_if(binding.links.begin(), binding.links.end(),
                                   [&](const motion::JointLink& link) { return hips && link.target == *hips; });
    if (!left || !right || root == binding.links.end())
        return;
    const std::vector<glm::dmat4> from = core::globalMatrices(source, binding.reference);
    const std::vector<glm::dmat4> to = core::globalMatrices(target, core::restPose(target));
    const glm::dvec3 hipsTo(to[*hips][3]);
    const glm::dvec3 hipsFrom(from[root->source][3]);
    const glm::dvec3 up = glm::normalize(hipsTo - (glm::dvec3(to[*left][3]) + glm::dvec3(to[*right][3])) / 2.0);
    double standingFrom = 0;  // height of the hips above the lowest joint of the feet
    double standingTo = 0;
    for (const motion::JointLink& link : binding.links) {
        const Part part = targetRoles.roles[link.target].part;
        if (part != Part::foot && part != Part::toes)
            continue;
        standingFrom = std::max(standingFrom, glm::dot(hipsFrom - glm::dvec3(from[link.source][3]), up));
        standingTo = std::max(standingTo, glm::dot(hipsTo - glm::dvec3(to[link.target][3]), up));
    }
    glm::dvec3 moved = hipsTo / binding.scale - hipsFrom;
    moved.y += standingFrom - standingTo / binding.scale;
    binding.reference[source.rootOf(root->source)].translation += glm::vec3(moved);
}

/// The middle of the thighs relative to the hips in a pose.
std::optional<glm::dvec3> thighsFromHips(const std::vector<glm::dmat4>& pose, const Anatomy& roles) {
    const auto hips = roles.jointOf(Part::hips);
    const auto left = roles.jointOf(Part::upperLeg, Side::left);
    const auto right = roles.jointOf(Part::upperLeg, Side::right);
    if (!hips || !left || !right)
        return std::nullopt;
    return glm::dvec3(pose[*left][3] + pose[*right][3]) / 2.0 - glm::dvec3(pose[*hips][3]);
}

/// If the hips joints are at different places of the pelvis, the thighs are aligned instead of the hips.
void followThighs(const Skeleton& source, const Anatomy& sourceRoles, const Skeleton& target,
                  const Anatomy& targetRoles, motion::Binding& binding) {
    const auto from = thighsFromHips(core::globalMatrices(source, binding.reference), sourceRoles);
    const auto to = thighsFromHips(core::globalMatrices(target, core::restPose(target)), targetRoles);
    const double leg = legLength(target, targetRoles).value_or(0);
    if (!from || !to)
        return;
    constexpr double kElsewhere = 0.1;  // of a leg; in most bodies the hips differ less, so the hips are followed
    const glm::dvec3 offset = binding.scale * *from - *to;
    if (glm::length(offset) > kElsewhere * leg)
        binding.rootOffset = offset;
}

/// IK targets whose aim is neither below an IK target nor carried by one.
std::vector<motion::IkTarget> freeIkTargets(const Skeleton& target, const Anatomy& targetRoles,
                                            const std::vector<motion::JointLink>& links) {
    const std::vector<motion::IkTarget> all = ikTargetsOf(target, targetRoles);
    const auto leansOnOne = [&](const motion::IkTarget& ik) {
        std::optional<std::uint32_t> on = ik.aim;
        for (std::size_t step = 0; on && step <= target.joints.size(); ++step) {
            if (std::ranges::find(all, *on, &motion::IkTarget::joint) != all.end())
                return true;
            const auto link = std::ranges::find(links, *on, &motion::JointLink::target);
            on = link != links.end() && link->carrier ? link->carrier : target.parentOf(*on);
        }
        return false;
    };
    std::vector<motion::IkTarget> independent;
    std::ranges::remove_copy_if(all, std::back_inserter(independent), leansOnOne);
    return independent;
}

/// The hips, and the topmost joint on the ground above them.
core::RootJoints rootsOf(const Skeleton& target, const Anatomy& targetRoles) {
    core::RootJoints roots{targetRoles.jointOf(Part::hips), {}};
    if (roots.root)
        for (const std::uint32_t joint : target.upFrom(*roots.root))
            if (targetRoles.roles[joint].part == Part::ground)
                roots.ground = joint;
    return roots;
}

}  // namespace

void standByRoles(const Skeleton& source, const Anatomy& sourceRoles, const Skeleton& target,
                  const Anatomy& targetRoles, const Standing& standing, motion::Binding& binding) {
    if (standing.scale)
        binding.scale = legRatio(source, sourceRoles, target, targetRoles).value_or(binding.scale);
    binding.twists = twistsOf(target, targetRoles);
    binding.ikTargets = freeIkTargets(target, targetRoles, binding.links);
    binding.roots = rootsOf(target, targetRoles);
    if (standing.reference) {
        standOnGround(source, target, targetRoles, binding);
        followThighs(source, sourceRoles, target, targetRoles, binding);
    }
}

}  // namespace reanima::roles
