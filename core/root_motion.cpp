#include "core/root_motion.h"

#include <algorithm>

#include "core/pose.h"

namespace reanima::core {

namespace {

bool isBelow(const Skeleton& skeleton, std::uint32_t joint, std::uint32_t above) {
    for (int j = static_cast<int>(joint); j != kNoParent; j = skeleton.joints[static_cast<std::size_t>(j)].parent)
        if (j == static_cast<int>(above))
            return true;
    return false;
}

/// The way of the root in model space, at the root's keys.
struct Way {
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

Way wayOf(const Skeleton& skeleton, const Clip& clip, std::uint32_t root, RootMotion mode) {
    Way way;
    way.times = clip.timelines[clip.trackOf(root)->translation.timeline];
    const glm::dvec3 rest(globalMatrices(skeleton, restPose(skeleton))[root][3]);
    for (const float time : way.times) {
        const glm::dvec3 position(
            globalMatrices(skeleton, samplePose(skeleton, clip, static_cast<double>(time)))[root][3]);
        way.offsets.push_back(mode == RootMotion::drop ? position - rest : position);
    }
    if (mode != RootMotion::drop) {
        const glm::dvec3 start = way.offsets.front();
        for (glm::dvec3& offset : way.offsets)
            offset = {offset.x - start.x, 0, offset.z - start.z};
    }
    return way;
}

/// Moves a joint by the way, backwards, whatever its parents do.
void takeOut(const Skeleton& skeleton, const Clip& original, Clip& clip, std::uint32_t joint, const Way& way) {
    JointTrack& track = *clip.trackOf(joint);
    std::vector<float> times = way.times;
    if (track.translation.isAnimated()) {
        const std::vector<float>& own = original.timelines[track.translation.timeline];
        std::vector<float> both;
        std::set_union(times.begin(), times.end(), own.begin(), own.end(), std::back_inserter(both));
        times = std::move(both);
    }
    const int parent = skeleton.joints[joint].parent;
    std::vector<glm::vec3> values;
    for (const float time : times) {
        const auto seconds = static_cast<double>(time);
        const glm::vec3 local =
            sampleChannel(original, track.translation, seconds, skeleton.joints[joint].rest.translation);
        glm::dmat3 above(1);
        if (parent != kNoParent)
            above = glm::dmat3(
                globalMatrices(skeleton, samplePose(skeleton, original, seconds))[static_cast<std::size_t>(parent)]);
        values.emplace_back(glm::dvec3(local) - glm::inverse(above) * way.at(seconds));
    }
    track.translation.values = std::move(values);
    track.translation.timeline = timelineOf(clip, std::move(times));
}

}  // namespace

std::optional<RootMotion> rootMotionNamed(std::string_view name) {
    const auto found = std::ranges::find(kRootMotionNames, name);
    return found == kRootMotionNames.end() ? std::nullopt
                                           : std::optional(static_cast<RootMotion>(found - kRootMotionNames.begin()));
}

std::string_view nameOf(RootMotion mode) { return kRootMotionNames[static_cast<std::size_t>(mode)]; }

void applyRootMotion(const Skeleton& skeleton, Clip& clip, RootMotion mode) {
    clip.rootMotion = mode;
    if (mode == RootMotion::keep)
        return;
    const auto moving = std::find_if(clip.tracks.begin(), clip.tracks.end(),
                                     [](const JointTrack& track) { return track.translation.isAnimated(); });
    if (moving == clip.tracks.end())
        return;
    const std::uint32_t root = moving->joint;
    const Clip original = clip;
    const Way way = wayOf(skeleton, original, root, mode);
    for (const JointTrack& track : original.tracks) {
        const bool inModelSpace = skeleton.joints[track.joint].parent == kNoParent && track.translation.isPresent();
        if (track.joint == root || (inModelSpace && !isBelow(skeleton, root, track.joint)))
            takeOut(skeleton, original, clip, track.joint, way);
    }
    if (mode == RootMotion::extract) {
        clip.travel.values.assign(way.offsets.begin(), way.offsets.end());
        clip.travel.timeline = timelineOf(clip, way.times);
    }
}

}  // namespace reanima::core
