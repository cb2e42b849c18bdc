#include "binding/standing_rig.h"

#include <algorithm>

#include <glm/gtc/matrix_inverse.hpp>

#include "binding/ground.h"

namespace reanima::binding {

namespace {

/// Every joint as a possible carrier.
std::vector<motion::JointLink> allJointsBelow(const core::Skeleton& skeleton, std::uint32_t root) {
    std::vector<motion::JointLink> links;
    for (std::uint32_t joint = 0; joint < skeleton.joints.size(); ++joint)
        if (skeleton.rootOf(joint) == root) {
            motion::JointLink& link = links.emplace_back();
            link.source = link.target = joint;
        }
    return links;
}

/// Rotates the joints, and moves the lowest point to 0 and the hips above the origin.
void stand(const MovingBody& body, const core::Pose& tPose, std::uint32_t hips, core::Skeleton& rig) {
    for (std::size_t joint = 0; joint < rig.joints.size(); ++joint)
        rig.joints[joint].rest.rotation = tPose[joint].rotation;
    const core::BodySurface surface =
        body.surface.isKnown() ? body.surface : surfaceOfJoints({rig, body.roles, body.surface, true});
    const core::Pose pose = core::restPose(rig);
    const glm::dvec3 at(core::globalMatrices(rig, pose)[hips][3]);
    const double floor = LowestPoint(rig, surface).of(pose);
    rig.joints[rig.rootOf(hips)].rest.translation -= glm::vec3(glm::dvec3(at.x, floor, at.z));
}

}  // namespace

std::vector<motion::IkTarget> carriedJoints(const core::Skeleton& skeleton, const std::vector<core::Clip>& clips,
                                            std::uint32_t hips) {
    const std::uint32_t root = skeleton.rootOf(hips);
    const std::vector<motion::JointLink> carriers = allJointsBelow(skeleton, root);
    std::vector<motion::IkTarget> carried;
    for (std::uint32_t joint = 0; joint < skeleton.joints.size(); ++joint) {
        if (joint == root || skeleton.parentOf(joint))
            continue;
        if (const auto carrier = motion::findCarrier(skeleton, clips, joint, carriers))
            carried.push_back({joint, *carrier});
    }
    return carried;
}

std::optional<StandingRig> standingRig(const MovingBody& body) {
    const std::optional<core::Pose> tPose = tPoseOf(body);
    const std::optional<std::uint32_t> hips = body.roles.jointOf(roles::Part::hips);
    if (!tPose || !hips)
        return std::nullopt;
    StandingRig standing{body.skeleton, {}};
    core::Skeleton& rig = standing.skeleton;
    stand(body, *tPose, *hips, rig);
    standing.carried = carriedJoints(body.skeleton, body.clips, *hips);
    const std::vector<glm::dmat4> own = core::globalMatrices(body.skeleton, core::restPose(body.skeleton));
    const std::vector<glm::dmat4> now = core::globalMatrices(rig, core::restPose(rig));
    for (const motion::IkTarget& each : standing.carried)
        rig.joints[each.joint].rest =
            core::decomposed(now[each.aim] * glm::affineInverse(own[each.aim]) * own[each.joint]);
    return standing;
}

void putRestBack(const core::Skeleton& own, motion::BoundMotion& bound) {
    const auto holdIn = [&own, &bound](core::Clip& clip, std::uint32_t joint) {
        const core::Transform& stood = bound.skeleton.joints[joint].rest;
        const core::Transform& rest = own.joints[joint].rest;
        core::JointTrack* track = clip.trackOf(joint);
        const bool turns = (track == nullptr || !track->rotation.isPresent()) && stood.rotation != rest.rotation;
        const bool moves =
            (track == nullptr || !track->translation.isPresent()) && stood.translation != rest.translation;
        if (!turns && !moves)
            return;
        if (track == nullptr) {
            const auto at = std::ranges::lower_bound(clip.tracks, joint, {}, &core::JointTrack::joint);
            track = &*clip.tracks.insert(at, core::JointTrack{});
            track->joint = joint;
        }
        if (turns)
            track->rotation.values = {stood.rotation};
        if (moves)
            track->translation.values = {stood.translation};
    };
    for (core::Clip& clip : bound.clips)
        for (std::uint32_t joint = 0; joint < own.joints.size(); ++joint)
            holdIn(clip, joint);
    for (std::size_t joint = 0; joint < own.joints.size(); ++joint)
        bound.skeleton.joints[joint].rest = own.joints[joint].rest;
}

}  // namespace reanima::binding
