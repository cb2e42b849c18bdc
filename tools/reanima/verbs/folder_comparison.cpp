#include "tools/reanima/verbs/folder_comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <glm/geometric.hpp>

#include "core/key_times.h"
#include "core/pose.h"
#include "core/rotation.h"

namespace reanima::tool {

namespace {

/// A joint in a clip. Without a track it rests.
class JointOfClip {
  public:
    JointOfClip(const core::Clip& clip, std::uint32_t joint, const core::Transform& rest)
        : clip_(clip), track_(clip.trackOf(joint)), rest_(rest) {}

    [[nodiscard]] core::Transform at(double time) const {
        if (track_ == nullptr)
            return rest_;
        return {core::sampleChannel(clip_, track_->translation, time, rest_.translation),
                core::sampleChannel(clip_, track_->rotation, time, rest_.rotation),
                core::sampleChannel(clip_, track_->scale, time, rest_.scale)};
    }

    /// Like at(), but in a program that interpolates rotations by component, like Blender.
    [[nodiscard]] core::Transform inBlenderAt(double time) const {
        core::Transform pose = at(time);
        if (track_ == nullptr || track_->rotation.values.size() < 2)
            return pose;
        const std::vector<float>& times = clip_.timelines[track_->rotation.timeline];
        const std::size_t key = core::keyHeldAt(times, time);
        if (key + 1 == times.size() || track_->rotation.interpolation == core::Interpolation::step)
            return pose;
        const auto begin = static_cast<double>(times[key]);
        const auto share =
            static_cast<float>(std::clamp((time - begin) / (static_cast<double>(times[key + 1]) - begin), 0.0, 1.0));
        const glm::quat& from = track_->rotation.values[key];
        const glm::quat to = core::nearestSign(track_->rotation.values[key + 1], from);
        pose.rotation = glm::normalize(from * (1 - share) + to * share);
        return pose;
    }

  private:
    const core::Clip& clip_;
    const core::JointTrack* track_;
    const core::Transform& rest_;
};

struct Difference {
    double degrees = 0;
    double metres = 0;
    bool isScaled = false;

    /// True if it exceeds the rounding of other programs.
    [[nodiscard]] bool isVisible() const {
        constexpr double kDegrees = 0.01;
        constexpr double kMetres = 0.01 / 256;  // a hundredth of the game's unit
        return degrees > kDegrees || metres > kMetres || isScaled;
    }
};

Difference between(const core::Transform& a, const core::Transform& b) {
    constexpr float kShare = 1e-4F;
    return {core::degreesBetween(glm::dquat(a.rotation), glm::dquat(b.rotation)),
            static_cast<double>(glm::distance(a.translation, b.translation)), glm::distance(a.scale, b.scale) > kShare};
}

/// What differs from the original in every program, however it interpolates.
Difference between(const JointOfClip& original, double time, const core::Transform& edited) {
    const Difference difference = between(original.at(time), edited);
    return difference.isVisible() ? between(original.inBlenderAt(time), edited) : difference;
}

/// The keys of a clip, ascending.
std::vector<double> keyTimesOf(const core::Clip& clip) {
    std::vector<double> times = core::keyTimesAndMiddles({&clip});
    times.resize((times.size() + 1) / 2);
    const auto isSame = [](double a, double b) { return b - a < core::kSameTime; };
    times.erase(std::unique(times.begin(), times.end(), isSame), times.end());
    return times;
}

/// The times at which clips are compared. A sampled clip is only compared at its keys, since only the original has
/// easing between keys.
std::vector<double> timesToCompare(const core::Clip& clip, const core::Clip& original) {
    return sampledRate(clip) > 0 ? keyTimesOf(clip) : core::keyTimesAndMiddles({&original, &clip});
}

bool moves(const JointOfClip& joint, const std::vector<double>& times) {
    return std::ranges::any_of(
        times, [&](double time) { return between(joint.at(times.front()), joint.at(time)).isVisible(); });
}

/// The number of frames of an edited clip. Programs cut clips at whole frames of their own rate, so differences in
/// length below one such frame are ignored.
std::uint32_t framesNow(const core::Clip& clip, const core::Clip& original) {
    constexpr double kRounding = 0.02;
    const double rate = sampledRate(clip);
    const double longer = (clip.duration - original.duration) * original.rate;
    if (rate > 0 && std::abs(longer) < original.rate / rate - kRounding)
        return original.frames;
    return static_cast<std::uint32_t>(std::max(1.0, std::round(original.frames + longer)));
}

std::string folderOf(const std::string& path) { return path.substr(0, path.find_last_of('/') + 1); }

}  // namespace

double sampledRate(const core::Clip& clip) {
    constexpr double kSlowest = 10;  // keys further apart were set by hand
    const std::vector<double> times = keyTimesOf(clip);
    if (times.size() < 3)
        return 0;
    const double step = times[1] - times[0];
    for (std::size_t key = 2; key < times.size(); ++key) {
        const double gap = times[key] - times[key - 1];
        const bool isLast = key + 1 == times.size();  // it may be cut off
        if (gap > step + core::kSameTime || (!isLast && gap < step - core::kSameTime))
            return 0;
    }
    return step * kSlowest <= 1 ? 1 / step : 0;
}

std::string pathOfJoint(const core::Skeleton& skeleton, std::uint32_t joint) {
    std::string path = skeleton.joints[joint].name;
    for (const std::uint32_t above : skeleton.ancestors(joint))
        path.insert(0, skeleton.joints[above].name + "/");
    return path;
}

SharedJoints sharedJoints(const core::Skeleton& was, const core::Skeleton& now) {
    std::map<std::string, std::uint32_t> unpaired;  // joints of the folder by path
    std::set<std::string> names;
    for (std::uint32_t joint = 0; joint < was.joints.size(); ++joint) {
        unpaired.emplace(pathOfJoint(was, joint), joint);
        names.insert(was.joints[joint].name);
    }
    SharedJoints shared;
    std::set<std::string> strangers;  // parent paths of joints that are not in the folder
    for (std::uint32_t joint = 0; joint < now.joints.size(); ++joint) {
        const std::string path = pathOfJoint(now, joint);
        if (const auto same = unpaired.find(path); same != unpaired.end()) {
            shared.pairs.push_back({same->second, joint});
            unpaired.erase(same);
        } else if (names.contains(now.joints[joint].name)) {
            shared.isRearranged = true;
        } else {
            strangers.insert(folderOf(path));
        }
    }
    for (const auto& [path, joint] : unpaired) {
        shared.missing.push_back(was.joints[joint].name);
        shared.isRearranged = shared.isRearranged || strangers.contains(folderOf(path));
    }
    shared.isRearranged = shared.isRearranged && !shared.missing.empty();
    return shared;
}

core::ClipEdit FolderComparison::editOf(const core::Clip& clip, std::size_t original) const {
    const core::Clip& before = was_.clips[original];
    core::ClipEdit edit;
    edit.clip = original;
    edit.name = clip.name;
    edit.frames = framesNow(clip, before);
    const std::vector<double> times = timesToCompare(clip, before);
    for (const auto& [was, now] : joints_) {
        const core::Transform& rest = now_.skeleton->joints[now].rest;
        const JointOfClip old(before, was, rest);
        const JointOfClip edited(clip, now, rest);
        core::JointEdit joint{was};
        for (const double time : times) {
            const core::Transform to = edited.at(time);
            const Difference difference = between(old, time, to);
            if (!difference.isVisible())
                continue;
            const auto frame = static_cast<std::uint32_t>(std::round(time * before.rate));
            joint.rotations.push_back({frame, glm::dquat(to.rotation)});
            joint.isScaled = joint.isScaled || difference.isScaled;
            if (difference.degrees > edit.turned.value)
                edit.turned = {difference.degrees, was, frame};
            if (difference.metres > edit.moved.value)
                edit.moved = {difference.metres, was, frame};
        }
        if (!joint.rotations.empty())
            edit.joints.push_back(std::move(joint));
    }
    return edit;
}

FolderComparison::Count FolderComparison::countOf(const core::Clip& clip, const core::ClipEdit& edit) const {
    const core::Clip& before = was_.clips[edit.clip];
    const std::vector<double> times = timesToCompare(clip, before);
    Count count;
    for (const auto& [was, now] : joints_) {
        const core::Transform& rest = now_.skeleton->joints[now].rest;
        if (!moves(JointOfClip(before, was, rest), times) && !moves(JointOfClip(clip, now, rest), times))
            continue;
        ++count.moving;
        if (std::ranges::find(edit.joints, was, &core::JointEdit::joint) != edit.joints.end())
            ++count.differing;
    }
    return count;
}

std::optional<core::Retiming> FolderComparison::retimingOf(const core::Clip& clip, std::size_t original) const {
    const core::Clip& before = was_.clips[original];
    if (!(clip.duration > 0) || !(before.duration > 0))
        return std::nullopt;
    for (const int frames : {0, 1, -1, 2, -2, 3, -3}) {
        const double delay = frames / clip.rate;
        for (const double shown : {before.duration, clip.duration - delay, clip.duration})
            if (const core::Retiming retiming{before.duration / shown, delay};
                shown > 0 && retiming != core::Retiming{} && isSame(clip, before, retiming))
                return retiming;
    }
    return std::nullopt;
}

bool FolderComparison::isSame(const core::Clip& clip, const core::Clip& before, const core::Retiming& retiming) const {
    const std::vector<double> times = timesToCompare(clip, clip);
    return std::ranges::all_of(joints_, [&](const SharedJoints::Pair& pair) {
        const core::Transform& rest = now_.skeleton->joints[pair.now].rest;
        const JointOfClip old(before, pair.was, rest);
        const JointOfClip edited(clip, pair.now, rest);
        return std::ranges::none_of(times, [&](double time) {
            return between(old, (time - retiming.delay) * retiming.speed, edited.at(time)).isVisible();
        });
    });
}

}  // namespace reanima::tool
