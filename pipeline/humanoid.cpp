#include "pipeline/humanoid.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "binding/bind_plan.h"
#include "binding/motion/bind.h"
#include "core/memory.h"

namespace reanima {

namespace {

[[noreturn]] void refuseBody(const std::string& problem) {
    throw core::DecodeError({}, problem, core::DecodeError::Kind::noHumanoid).withHint({"names", "CSV"});
}

binding::Humanoid humanoidIn(const binding::MovingBody& body) {
    const std::optional<core::Pose> tPose = binding::tPoseOf(body);
    if (!tPose)
        refuseBody(fmt::format("it is not known which joints are hips, spine, head, arms and legs{}",
                               body.roles.seen.empty() ? "" : ": " + body.roles.seen));
    binding::Humanoid humanoid = binding::humanoidOf(body, *tPose);
    if (!humanoid.missing.empty())
        refuseBody(fmt::format("it is not known which joint{} {}", humanoid.missing.size() == 1 ? " is" : "s are",
                               fmt::join(humanoid.missing, ", ")));
    return humanoid;
}

/// Removes humanoid joints that the body lacks, added joints, and all translations except the hips'.
void keepKnown(const binding::Humanoid& humanoid, motion::BoundMotion& bound) {
    std::vector<std::optional<std::uint32_t>> now(bound.skeleton.joints.size());
    std::vector<core::Joint> joints;
    for (std::size_t joint = 0; joint < humanoid.isKnown.size(); ++joint) {
        if (!humanoid.isKnown[joint])
            continue;
        now[joint] = static_cast<std::uint32_t>(joints.size());
        core::Joint& kept = joints.emplace_back(humanoid.skeleton.joints[joint]);
        kept.name = kept.role;
        if (kept.parent != core::kNoParent)
            kept.parent = static_cast<int>(*now[static_cast<std::size_t>(kept.parent)]);
    }
    bound.skeleton.joints = std::move(joints);
    for (core::Clip& clip : bound.clips) {
        std::erase_if(clip.tracks, [&](const core::JointTrack& track) { return !now[track.joint]; });
        for (core::JointTrack& track : clip.tracks) {
            track.joint = *now[track.joint];
            track.scale = {};
            if (track.joint != 0)
                track.translation = {};
        }
    }
}

}  // namespace

core::RootJoints putOnHumanoid(core::Asset& asset, const binding::MovingBody& body, const core::Limits& limits,
                               core::Diagnostics& diagnostics) {
    const binding::Humanoid humanoid = humanoidIn(body);
    BindSettings settings = binding::settingsFor(body, humanoid.roles);
    settings.scale = 1;
    core::Diagnostics unsaid;  // both skeletons are the same body, so warnings are meaningless
    BindPlan plan = planBinding(body.skeleton, asset.clips, humanoid.skeleton, settings, unsaid);
    for (motion::JointLink& link : plan.binding.links)
        link.translate = link.target == 0;
    plan.binding.attachments.clear();  // carried objects are not humanoid joints
    std::vector<std::string> left = plan.report.unused;
    left.insert(left.end(), plan.report.added.begin(), plan.report.added.end());
    constexpr std::size_t kShown = 5;
    if (!left.empty())
        diagnostics.note(
            core::Code::ignored, {},
            fmt::format("a VRM animation can only contain humanoid joints, so these joints are left out: {}{}",
                        fmt::join(left.begin(),
                                  left.begin() + static_cast<std::ptrdiff_t>(std::min(left.size(), kShown)), ", "),
                        left.size() > kShown ? fmt::format(" and {} more", left.size() - kShown) : ""));
    motion::BoundMotion bound = motion::bindClips(body.skeleton, asset.clips, humanoid.skeleton, plan.binding,
                                                  limits.holding(core::memoryOf(asset)));
    keepKnown(humanoid, bound);
    asset.meshes.clear();
    asset.materials.clear();
    asset.images.clear();
    asset.skeleton.emplace(std::move(bound.skeleton));
    asset.clips = std::move(bound.clips);
    return {0, {}};
}

}  // namespace reanima
