#include "binding/bind_plan.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "binding/closed_hands.h"
#include "binding/ground.h"
#include "binding/joint_links.h"
#include "binding/motion/bone_directions.h"
#include "binding/planted_feet.h"
#include "binding/roles/bone_rolls.h"
#include "binding/roles/role_matches.h"
#include "binding/roles/stance.h"
#include "core/decode_error.h"
#include "core/pose.h"
#include "core/rig.h"
#include "core/text.h"

namespace reanima {

namespace {

using core::Code;
using core::DecodeError;
using core::Skeleton;
using motion::Binding;
using motion::JointLink;
using roles::JointMatch;

/// In a mapping for another game, numbered joints may match by name but be elsewhere in the tree.
void warnOfParents(const BindReport& report, core::Diagnostics& diagnostics) {
    const auto differ = static_cast<std::size_t>(std::count_if(
        report.rows.begin(), report.rows.end(), [](const BindReport::Row& row) { return row.parentsDiffer; }));
    constexpr std::size_t kFewest = 3;
    constexpr std::size_t kPart = 3;  // one in three; fewer differ if only the root, the chest or a collar bone does
    if (differ >= kFewest && kPart * differ >= report.rows.size())
        diagnostics.warn(
            Code::restMismatch, {},
            fmt::format("the parents of {} of {} joints do not match those of their sources, so the mapping may be for "
                        "another skeleton",
                        differ, report.rows.size()));
}

void warnOfRests(const BindReport& report, core::Diagnostics& diagnostics) {
    constexpr double kAgree = 0.5;
    std::size_t differ = 0;
    const BindReport::Row* worst = nullptr;
    for (const BindReport::Row& row : report.rows) {
        if (row.restDegrees <= kAgree && !row.parentsDiffer)
            continue;
        ++differ;
        if (worst == nullptr || row.restDegrees > worst->restDegrees)
            worst = &row;
    }
    if (worst != nullptr)
        diagnostics.warn(
            Code::restMismatch, {},
            fmt::format("{} of {} joints differ from their sources in rest rotation (most: {}, by {:.1f} degrees)",
                        differ, report.rows.size(), worst->target, worst->restDegrees),
            {"mode", "world"});
}

/// True for heads, chests, hands and feet whose orientation was set by roles::Stance.
bool isHeld(const BindReport& report, const std::string& joint) {
    using motion::RollFrom;
    return std::ranges::any_of(report.rolls, [&](const BindReport::Roll& roll) {
        const bool byDirection =
            roll.from == RollFrom::map || roll.from == RollFrom::hinge || roll.from == RollFrom::mean;
        return !byDirection && roll.joint == joint;
    });
}

/// Makes the binding and its report.
class BindingMaker {
  public:
    BindingMaker(const Skeleton& source, const std::vector<core::Clip>& clips, const Skeleton& target,
                 const BindSettings& settings, core::Diagnostics& diagnostics)
        : source_(source), clips_(clips), target_(target), settings_(settings), diagnostics_(diagnostics) {}

    BindPlan plan() {
        binding::JointLinks links = binding::jointLinks(source_, clips_, target_, settings_, diagnostics_);
        matches_ = std::move(links.matches);
        roles_ = std::move(links.roles);
        report_.summary = std::move(links.summary);
        Binding binding;
        binding.mode = settings_.mode;
        binding.links = roles::linksOf(matches_);
        setReference(binding);
        binding.scale =
            settings_.scale.value_or(binding.mode == motion::BindMode::copy
                                         ? 1
                                         : motion::scaleBetween(source_, binding.reference, target_, binding.links));
        if (roles_)
            roles::standByRoles(source_, roles_->source, target_, roles_->target,
                                {.scale = !settings_.scale, .reference = isMatched_}, binding);
        if (roles_ && isMatched_ && settings_.lifts)
            lift(binding);
        addAttachments(binding);
        fillReport(binding);
        BindPlan plan{std::move(binding), {}, std::move(report_)};
        if (roles_ && settings_.targetRoles && settings_.grip == roles::Grip::automatic)
            plan.grip = binding::closedHands({source_, roles_->source}, {target_, *settings_.targetRoles}, plan.binding,
                                             diagnostics_);
        return plan;
    }

  private:
    // -----------------------------------------------------------------------------------------------------------------
    // The reference

    void setReference(Binding& binding) {
        binding.reference = core::restPose(source_);
        if (!settings_.matchRest || binding.mode == motion::BindMode::copy)
            return;
        const std::vector<motion::Globals> poses =
            roles_ ? motion::globalsOf(source_, settings_.poses) : std::vector<motion::Globals>();
        const motion::RollRule roll = rollRule(poses, binding.links);
        const bool isOwn = !settings_.hasOwnRest && roles::hasOwnJoints(source_, clips_, target_);
        const motion::StanceRule stance = isOwn ? asTheTarget(binding.links) : stanceRule(poses);
        motion::MatchedPose matched = motion::matchRest(source_, target_, binding.links, {roll, stance});
        isMatched_ = true;
        binding.reference = std::move(matched.pose);
        const auto partOf = [this](std::uint32_t joint) {
            return roles_ ? roles_->source.roles[joint].part : roles::Part::none;
        };
        for (const motion::MatchedJoint& joint : matched.turned)
            report_.turned.emplace_back(source_.joints[joint.joint].name, joint.degrees);
        for (const motion::RolledJoint& joint : matched.rolled)
            report_.rolls.push_back(
                {source_.joints[joint.joint].name, joint.degrees, joint.from, joint.isGuess, partOf(joint.joint)});
    }

    /// A source with the target's axes gets the target's rest orientation, whatever its file's rest pose.
    [[nodiscard]] motion::StanceRule asTheTarget(const std::vector<JointLink>& links) const {
        return [links, rest = motion::globalsOf(target_, core::restPose(target_))](const motion::TurnedBone& bone) {
            const auto link = std::ranges::find(links, bone.joint, &JointLink::source);
            return std::optional(motion::FoundStance{rest.rotations[link->target], motion::RollFrom::mean, true});
        };
    }

    /// @param poses of the source in model space; they outlive the rule; empty without roles
    [[nodiscard]] motion::RollRule rollRule(const std::vector<motion::Globals>& poses,
                                            const std::vector<JointLink>& links) const {
        if (!roles_ || settings_.hasOwnRest || poses.empty())
            return {};
        const auto rolls =
            std::make_shared<roles::BoneRolls>(source_, poses, roles_->source, target_, roles_->target, links);
        return [rolls](const motion::OpenBone& bone) { return rolls->of(bone); };
    }

    /// Moves the source vertically so that rig and source stand on the same ground.
    void lift(Binding& binding) const {
        const auto hips = roles_->source.jointOf(roles::Part::hips);
        if (!hips || settings_.poses.empty())
            return;
        const binding::Ground ground({source_, roles_->source, settings_.sourceSurface, settings_.hasOwnRest},
                                     settings_.poses, {target_, roles_->target, settings_.targetSurface},
                                     binding.scale);
        const core::Clip clip = core::clipOfPoses(ground.standingPoses());
        const motion::BoundMotion bound = motion::bindClips(source_, {clip}, target_, binding);
        std::vector<core::Pose> poses;
        for (const float time : core::frameTimes(clip.frames, clip.rate))
            poses.push_back(core::samplePose(bound.skeleton, bound.clips[0], static_cast<double>(time)));
        const std::optional<double> lift = ground.liftOf(poses);
        if (lift)
            binding.reference[source_.rootOf(*hips)].translation.y -= static_cast<float>(*lift / binding.scale);
    }

    /// @param poses as for rollRule()
    [[nodiscard]] motion::StanceRule stanceRule(const std::vector<motion::Globals>& poses) const {
        if (!roles_)
            return {};
        const auto stance = std::make_shared<roles::Stance>(
            roles::StanceSource{source_, roles_->source, poses, settings_.hasOwnRest, settings_.sourceSurface},
            roles::StanceTarget{target_, roles_->target, settings_.targetSurface});
        return [stance](const motion::TurnedBone& bone) { return stance->of(bone); };
    }

    // -----------------------------------------------------------------------------------------------------------------
    // Joints in model space

    [[nodiscard]] bool moves(std::uint32_t joint) const {
        return std::any_of(clips_.begin(), clips_.end(),
                           [joint](const core::Clip& c) { return c.trackOf(joint) != nullptr; });
    }

    [[nodiscard]] bool leadsAnything(std::uint32_t joint, const std::vector<JointLink>& links) const {
        return std::any_of(links.begin(), links.end(), [&](const JointLink& link) {
            for (int j = static_cast<int>(link.source); j != core::kNoParent;
                 j = source_.joints[static_cast<std::size_t>(j)].parent)
                if (j == static_cast<int>(joint))
                    return true;
            return false;
        });
    }

    void addAttachments(Binding& binding) {
        const std::uint32_t first = binding.links.empty() ? 0 : source_.rootOf(binding.links.front().source);
        for (std::uint32_t joint = 0; joint < source_.joints.size(); ++joint) {
            if (source_.joints[joint].parent != core::kNoParent || joint == first || !moves(joint))
                continue;
            const bool isLinked = leadsAnything(joint, binding.links);
            std::vector<JointLink> carriers = binding.links;
            std::erase_if(carriers, [joint](const JointLink& link) { return link.source == joint; });
            const auto carrier = namedCarrier(joint, binding.links);
            const auto found = carrier ? carrier : motion::findCarrier(source_, clips_, joint, carriers);
            const std::string& name = source_.joints[joint].name;
            if (found) {
                binding.attachments.push_back({joint, *found});
                if (!isLinked)
                    report_.added.push_back(name);
                if (isMatched_ && !isTurned(joint))
                    takeAlong(binding.reference, binding.attachments.back());
                diagnostics_.note(Code::attached, {},
                                  fmt::format("{} is carried by {}{}", name, source_.joints[*found].name,
                                              isLinked ? "" : "; a joint is added for it"));
            } else {
                diagnostics_.warn(Code::jointUnmatched, {},
                                  fmt::format("no joint carries {}, so it moves independently if it is mapped", name));
            }
        }
    }

    [[nodiscard]] bool isTurned(std::uint32_t joint) const {
        return std::any_of(report_.turned.begin(), report_.turned.end(),
                           [&](const auto& turned) { return turned.first == source_.joints[joint].name; });
    }

    /// A carried joint keeps the offset that it had before its carrier was posed like the target's rest pose.
    void takeAlong(core::Pose& reference, const motion::Attachment& carried) const {
        const std::vector<glm::dmat4> before = core::globalMatrices(source_, core::restPose(source_));
        const std::vector<glm::dmat4> turned = core::globalMatrices(source_, reference);
        reference[carried.source] =
            core::decomposed(turned[carried.carrier] * glm::inverse(before[carried.carrier]) * before[carried.source]);
    }

    [[nodiscard]] std::optional<std::uint32_t> namedCarrier(std::uint32_t joint,
                                                            const std::vector<JointLink>& links) const {
        for (const JointMap::Carried& carried : settings_.map.attach) {
            if (carried.source != source_.joints[joint].name)
                continue;
            if (const auto own = source_.find(carried.joint))
                return own;
            const auto target = target_.find(carried.joint);
            const auto link = std::find_if(links.begin(), links.end(),
                                           [&](const JointLink& l) { return target && l.target == *target; });
            if (link == links.end())
                throw DecodeError(
                    fmt::format("the mapping attaches {} to {}, which is neither a joint of {} nor a joint of the rig "
                                "that follows one",
                                carried.source, carried.joint, source_.name));
            return link->source;
        }
        return std::nullopt;
    }

    // -----------------------------------------------------------------------------------------------------------------
    // The report

    void fillReport(const Binding& binding) {
        report_.scale = binding.scale;
        report_.roles = roles_;
        const std::vector<glm::dmat4> from = core::globalMatrices(source_, binding.reference);
        const std::vector<glm::dmat4> to = core::globalMatrices(target_, core::restPose(target_));
        const std::vector<std::optional<double>> directions =
            motion::degreesBetweenBones(source_, motion::globalsOf(source_, binding.reference), target_,
                                        motion::globalsOf(target_, core::restPose(target_)), binding.links);
        for (std::size_t i = 0; i < matches_.size(); ++i) {
            const JointMatch& match = matches_[i];
            BindReport::Row row;
            if (!isHeld(report_, source_.joints[match.link.source].name))  // their orientation does not follow the bone
                row.directionDegrees = directions[i];
            row.source = source_.joints[match.link.source].name;
            row.target = target_.joints[match.link.target].name;
            row.by = match.by;
            row.restDegrees = core::degreesBetween(from[match.link.source], to[match.link.target]);
            row.parentsDiffer = !roles::parentsAgree(source_, target_, matches_, match.link);
            report_.rows.push_back(std::move(row));
        }
        for (std::uint32_t s = 0; s < source_.joints.size(); ++s) {
            const std::string& name = source_.joints[s].name;
            const bool leads = std::ranges::any_of(matches_, [s](const JointMatch& m) { return m.link.source == s; }) ||
                               std::ranges::find(report_.added, name) != report_.added.end();
            if (moves(s) && !leads)
                report_.unused.push_back(name);
        }
        for (std::uint32_t t = 0; t < target_.joints.size(); ++t)
            if (roles::matchOf(matches_, t) == nullptr)
                report_.missing.push_back(target_.joints[t].name);
        if (binding.mode == motion::BindMode::world)
            warnOfParents(report_, diagnostics_);
        else
            warnOfRests(report_, diagnostics_);
    }

    const Skeleton& source_;
    const std::vector<core::Clip>& clips_;
    const Skeleton& target_;
    const BindSettings& settings_;
    BindReport report_;
    core::Diagnostics& diagnostics_;
    bool isMatched_ = false;  // the source was posed like the target's rest pose
    std::optional<roles::LinkedRoles> roles_;
    std::vector<JointMatch> matches_;
};

}  // namespace

BindPlan planBinding(const Skeleton& source, const std::vector<core::Clip>& clips, const Skeleton& target,
                     const BindSettings& settings, core::Diagnostics& diagnostics) {
    if (source.origin == Skeleton::Origin::madeUp && settings.mode != motion::BindMode::copy)
        throw DecodeError(
            fmt::format(
                "{} has only placeholder joints. Without the game's skeleton, only its local values can be copied",
                source.name))
            .withHint({"source-skeleton", "FILE"});
    return BindingMaker(source, clips, target, settings, diagnostics).plan();
}

}  // namespace reanima
