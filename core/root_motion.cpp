#include "core/root_motion.h"

#include <algorithm>

#include "core/pose.h"

namespace reanima::core {

namespace {

bool isAtOrBelow(const Skeleton& skeleton, std::uint32_t joint, std::uint32_t above) {
    return joint == above || skeleton.isBelow(joint, above);
}

/// The displacement of the root in model space, at the root's keys.
struct Displacement {
    std::vector<float> times;
    std::vector<glm::dvec3> offsets;

    [[nodiscard]] glm::dvec3 at(double time) const {
        const auto next = std::upper_bound(times.begin(), times.end(), time);
        if (next == times.begin())
            return offsets.front();
        if (next == times.end())
            return offsets.back();
        const auto i = static_cast<std::size_t>(next - times.begin());
        const double share = (time - static_cast<double>(times[i - 1])) /
                             (static_cast<double>(times[i]) - static_cast<double>(times[i - 1]));
        return offsets[i - 1] + (offsets[i] - offsets[i - 1]) * share;
    }
};

Displacement displacementOf(const Skeleton& skeleton, const Clip& clip, std::uint32_t root, RootMotion mode) {
    Displacement displacement;
    const Channel<glm::vec3>& translation = clip.trackOf(root)->translation;
    displacement.times = translation.isAnimated() ? clip.timelines[translation.timeline] : std::vector<float>{0};
    const glm::dvec3 rest(globalMatrices(skeleton, restPose(skeleton))[root][3]);
    for (const float time : displacement.times) {
        const glm::dvec3 position(
            globalMatrices(skeleton, samplePose(skeleton, clip, static_cast<double>(time)))[root][3]);
        displacement.offsets.push_back(mode == RootMotion::drop ? position - rest
                                                                : glm::dvec3(position.x, 0, position.z));
    }
    return displacement;
}

/// Moves a joint in model space by the displacement or its opposite.
/// @param track the joint's track in `clip`
void moveBy(const Skeleton& skeleton, const Clip& original, Clip& clip, JointTrack& track,
            const Displacement& displacement, double factor) {
    std::vector<float> times = displacement.times;
    if (track.translation.isAnimated()) {
        const std::vector<float>& own = original.timelines[track.translation.timeline];
        std::vector<float> both;
        std::set_union(times.begin(), times.end(), own.begin(), own.end(), std::back_inserter(both));
        times = std::move(both);
    }
    const int parent = skeleton.joints[track.joint].parent;
    std::vector<glm::vec3> values;
    for (const float time : times) {
        const auto seconds = static_cast<double>(time);
        const glm::vec3 local =
            sampleChannel(original, track.translation, seconds, skeleton.joints[track.joint].rest.translation);
        glm::dmat4 above(1);
        if (parent != kNoParent)
            above = globalMatrices(skeleton, samplePose(skeleton, original, seconds))[static_cast<std::size_t>(parent)];
        values.emplace_back(glm::dvec3(local) + glm::inverse(glm::dmat3(above)) * (factor * displacement.at(seconds)));
    }
    track.translation.values = std::move(values);
    if (times.size() > 1)
        track.translation.timeline = timelineOf(clip, std::move(times));
}

/// Of the root and the joints above it, the topmost one that moves.
std::optional<std::uint32_t> movingRoot(const Skeleton& skeleton, const Clip& clip, const RootJoints& joints) {
    std::optional<std::uint32_t> root;
    for (const JointTrack& track : clip.tracks)
        if (!root && (joints.root ? track.translation.isPresent() && isAtOrBelow(skeleton, *joints.root, track.joint)
                                  : track.translation.isAnimated()))
            root = track.joint;
    return root;
}

void giveTo(std::uint32_t ground, const Skeleton& skeleton, const Clip& original, Clip& clip,
            const Displacement& displacement) {
    JointTrack* track = clip.trackOf(ground);
    if (track == nullptr) {
        const auto at = std::ranges::lower_bound(clip.tracks, ground, {}, &JointTrack::joint);
        track = &*clip.tracks.insert(at, JointTrack{});
        track->joint = ground;
    }
    moveBy(skeleton, original, clip, *track, displacement, 1);
}

}  // namespace

std::optional<RootMotion> rootMotionNamed(std::string_view name) {
    const auto found = std::ranges::find(kRootMotionNames, name);
    return found == kRootMotionNames.end() ? std::nullopt
                                           : std::optional(static_cast<RootMotion>(found - kRootMotionNames.begin()));
}

std::string_view nameOf(RootMotion mode) { return kRootMotionNames[static_cast<std::size_t>(mode)]; }

void applyRootMotion(const Skeleton& skeleton, Clip& clip, RootMotion mode, const RootJoints& joints) {
    clip.rootMotion = mode;
    if (mode == RootMotion::keep)
        return;
    const std::optional<std::uint32_t> root = movingRoot(skeleton, clip, joints);
    if (!root)
        return;
    const Clip original = clip;
    const Displacement displacement = displacementOf(skeleton, original, *root, mode);
    const bool hasGround = mode == RootMotion::extract && joints.ground && *joints.ground != *root &&
                           isAtOrBelow(skeleton, *root, *joints.ground);
    const std::uint32_t ground = hasGround ? *joints.ground : 0;
    std::vector<bool> isTaken(skeleton.joints.size());  // the displacement is removed from the joint or an ancestor
    for (std::uint32_t joint = 0; joint < isTaken.size(); ++joint) {
        const int parent = skeleton.joints[joint].parent;
        isTaken[joint] = parent != kNoParent && isTaken[static_cast<std::size_t>(parent)];
        JointTrack* track = clip.trackOf(joint);
        const bool moves = track != nullptr &&
                           (parent == kNoParent ? track->translation.isPresent() : track->translation.isAnimated());
        if (isTaken[joint] || (joint != *root && (!moves || isAtOrBelow(skeleton, *root, joint))) ||
            (hasGround && !isAtOrBelow(skeleton, joint, ground)))
            continue;
        moveBy(skeleton, original, clip, *track, displacement, -1);
        isTaken[joint] = true;
    }
    if (mode != RootMotion::extract)
        return;
    if (hasGround) {
        giveTo(ground, skeleton, original, clip, displacement);
        return;
    }
    clip.travel.values.assign(displacement.offsets.begin(), displacement.offsets.end());
    if (displacement.times.size() > 1)
        clip.travel.timeline = timelineOf(clip, displacement.times);
}

}  // namespace reanima::core
