#include "core/edit.h"

#include <algorithm>

#include "core/rotation.h"
#include "core/text.h"

namespace reanima::core {

void setRest(Asset& asset, const Pose& pose) {
    std::vector<Joint>& joints = asset.skeleton->joints;
    for (Clip& clip : asset.clips)
        for (JointTrack& track : clip.tracks) {
            const Transform& before = joints[track.joint].rest;
            const Transform& after = pose[track.joint];
            const auto hold = [](auto& channel, const auto& was, const auto& is) {
                if (!channel.isPresent() && was != is)
                    channel.values = {was};
            };
            hold(track.translation, before.translation, after.translation);
            hold(track.rotation, before.rotation, after.rotation);
            hold(track.scale, before.scale, after.scale);
        }
    for (std::size_t joint = 0; joint < joints.size(); ++joint)
        joints[joint].rest = pose[joint];
    asset.skeleton->hasRest = true;
}

void setRest(Asset& asset, const Clip& clip, double seconds) {
    setRest(asset, samplePose(*asset.skeleton, clip, seconds));
}

void addLoopKey(Clip& clip) {
    const double end = clip.frames / clip.rate;
    std::vector<bool> held;  // channels that end before the last frame keep their last value
    std::vector<bool> extended;
    for (std::vector<float>& times : clip.timelines) {
        const bool isAnimated = times.size() > 1;
        held.push_back(isAnimated && times.back() < static_cast<float>(clip.duration));
        if (held.back())
            times.push_back(static_cast<float>(clip.duration));
        extended.push_back(isAnimated && times.back() < static_cast<float>(end));
        if (extended.back())
            times.push_back(static_cast<float>(end));
    }
    for (JointTrack& track : clip.tracks) {
        const auto repeatFirst = [&](auto& channel) {
            if (channel.isAnimated() && held[channel.timeline])
                channel.values.push_back(channel.values.back());
            if (channel.isAnimated() && extended[channel.timeline])
                channel.values.push_back(channel.values.front());
        };
        forEachChannel(track, repeatFirst);
        if (track.rotation.isAnimated())
            track.rotation.values.back() =
                nearestSign(track.rotation.values.back(), track.rotation.values[track.rotation.values.size() - 2]);
    }
    if (clip.travel.isAnimated())  // each loop continues from where the last one ended
        clip.travel.values.resize(clip.timelines[clip.travel.timeline].size(), clip.travel.values.back());
    clip.duration = end;
}

void holdToTheEnd(Clip& clip) {
    const auto end = static_cast<float>(clip.duration);
    bool reached = false;
    std::vector<bool> used(clip.timelines.size(), false);
    forEachChannel(clip, [&](const auto& channel) {
        if (!channel.isAnimated())
            return;
        used[channel.timeline] = true;
        reached |= clip.timelines[channel.timeline].back() >= end;
    });
    if (reached || end <= 0 || clip.tracks.empty())
        return;
    const auto firstUsed = std::find(used.begin(), used.end(), true);
    if (firstUsed != used.end()) {
        const auto timeline = static_cast<std::uint32_t>(firstUsed - used.begin());
        clip.timelines[timeline].push_back(end);
        forEachChannel(clip, [&](auto& channel) {
            if (channel.isAnimated() && channel.timeline == timeline)
                channel.values.push_back(channel.values.back());
        });
        return;
    }
    const auto timeline = static_cast<std::uint32_t>(clip.timelines.size());
    bool held = false;
    forEachChannel(clip, [&](auto& channel) {
        if (held || !channel.isPresent())
            return;
        channel.values.push_back(channel.values.front());
        channel.timeline = timeline;
        held = true;
    });
    clip.timelines.push_back({0, end});
}

void setInterpolation(Clip& clip, Interpolation interpolation) {
    forEachChannel(clip, [interpolation](auto& channel) { channel.interpolation = interpolation; });
}

void addEndJoints(Skeleton& skeleton) {
    std::vector<bool> hasChild(skeleton.joints.size(), false);
    UniqueNames names;
    for (const Joint& joint : skeleton.joints) {
        (void)names.unique(joint.name);
        if (joint.parent != kNoParent)
            hasChild[static_cast<std::size_t>(joint.parent)] = true;
    }
    for (std::size_t i = 0, count = skeleton.joints.size(); i < count; ++i) {
        if (hasChild[i] || !skeleton.joints[i].end)
            continue;
        Joint end;
        end.name = names.unique(skeleton.joints[i].name + "_end");
        end.parent = static_cast<int>(i);
        end.rest.translation = *skeleton.joints[i].end;
        skeleton.joints.push_back(std::move(end));
    }
}

std::vector<AnimatedProperties> animatedProperties(std::span<const Clip> clips, std::size_t joints) {
    std::vector<AnimatedProperties> animated(joints);
    for (const Clip& clip : clips)
        for (const JointTrack& track : clip.tracks) {
            animated[track.joint].translation |= track.translation.isPresent();
            animated[track.joint].rotation |= track.rotation.isPresent();
            animated[track.joint].scale |= track.scale.isPresent();
        }
    return animated;
}

}  // namespace reanima::core
