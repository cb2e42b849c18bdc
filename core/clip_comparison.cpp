#include "core/clip_comparison.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include <glm/trigonometric.hpp>

#include "core/key_times.h"
#include "core/pose.h"

namespace reanima::core {

namespace {

/// The value of a channel in a program that interpolates by component, like Blender.
template <typename T>
T shownAt(const Clip& clip, const Channel<T>& channel, double seconds, const T& rest) {
    if (channel.values.size() < 2)
        return channel.values.empty() ? rest : channel.values.front();
    const std::vector<float>& times = clip.timelines[channel.timeline];
    if (channel.interpolation == Interpolation::step)
        return channel.values[keyHeldAt(times, seconds)];
    const auto after = std::upper_bound(times.begin(), times.end(), static_cast<float>(seconds));
    if (after == times.begin())
        return channel.values.front();
    const auto key = static_cast<std::size_t>(std::distance(times.begin(), after)) - 1;
    if (after == times.end())
        return channel.values[key];
    const auto share = static_cast<float>((seconds - static_cast<double>(times[key])) /
                                          static_cast<double>(times[key + 1] - times[key]));
    return channel.values[key] * (1 - share) + channel.values[key + 1] * share;
}

/// The pose of a joint in a clip.
/// @param track the joint's track; null if the clip does not move the joint
JointPose shownOf(const Joint& joint, const Clip& clip, const JointTrack* track, double seconds) {
    Transform local = joint.rest;
    if (track != nullptr) {
        local.rotation = shownAt(clip, track->rotation, seconds, local.rotation);
        local.translation = shownAt(clip, track->translation, seconds, local.translation);
        local.scale = shownAt(clip, track->scale, seconds, local.scale);
    }
    JointPose pose;
    pose.rotation = glm::normalize(glm::dquat(local.rotation));
    pose.translation = glm::dvec3(local.translation);
    pose.volume = static_cast<double>(local.scale.x * local.scale.y * local.scale.z);
    pose.unevenness = unevennessOf(glm::abs(glm::dvec3(local.scale)));
    return pose;
}

constexpr double kGrown = 0.002;  // scale noise that programs leave

/// @param volume, shown a joint's volume in the scene and in the original
bool hasGrown(double volume, double shown) {
    if (std::min(volume, shown) > 0.5 && std::abs(volume - shown) < kGrown)
        return false;  // near 1, the edges differ even less than the volumes
    const double edge = std::cbrt(shown);
    return std::abs(std::cbrt(volume) - edge) > kGrown * (1 + std::abs(edge));
}

void keepLarger(LargestEdit& largest, const LargestEdit& other) {
    if (other.value > largest.value)
        largest = other;
}

std::uint32_t framesOf(double frames) {
    constexpr double kMost = 4e9;  // above every limit
    return static_cast<std::uint32_t>(std::clamp(std::round(frames), 1.0, kMost));
}

/// True if the values of a channel differ by more than rounding.
template <typename T>
bool hasDifferentValues(const NodeChannel<T>& channel) {
    constexpr float kRounding = 1e-5F;
    const T& first = channel.values.front();
    return std::ranges::any_of(channel.values, [&first](const T& value) {
        return glm::length(value - first) > kRounding * (1 + glm::length(first));
    });
}

/// True if a scene does not interpolate linearly: it has curves, or joints that jump. False if all joints jump: the
/// scene was exported without interpolation (`--interpolation step`). Blender 5 exports joints that do not move as
/// jumps between equal values.
bool isBentBetweenKeys(const SceneMotion& motion) {
    bool hasCurves = false;
    bool hasLines = false;
    bool hasJumps = false;
    const auto look = [&](const auto& channel) {
        if (channel.times.size() < 2)
            return;
        hasCurves = hasCurves || channel.style == KeyStyle::cubic;
        hasLines = hasLines || channel.style == KeyStyle::linear;
        hasJumps = hasJumps || (channel.style == KeyStyle::step && hasDifferentValues(channel));
    };
    for (const NodeTrack& track : motion.tracks) {
        look(track.translation);
        look(track.rotation);
        look(track.scale);
    }
    return hasCurves || (hasLines && hasJumps);
}

/// Adds the times of frames without a key.
void addFrames(std::uint32_t frames, double begin, double rate, std::vector<double>& times) {
    const std::vector<double> keys = times;
    for (std::uint32_t frame = 0; frame < frames; ++frame) {
        const double time = begin + frame / rate;
        const auto key = std::ranges::lower_bound(keys, time - kSameTime);
        if (key != keys.end() && *key > time + kSameTime)
            times.push_back(time);
    }
    std::ranges::sort(times);
}

}  // namespace

ClipComparison::ClipComparison(const Skeleton& skeleton, const WayBackToJoints& back, const Clip& clip,
                               const SceneMotion& motion, const StoredSteps& steps, SampleBudget& budget)
    : skeleton_(skeleton),
      back_(back),
      clip_(clip),
      motion_(motion),
      nodes_(back.tracksOf(motion)),
      steps_(steps),
      sameRotation_(std::cos(glm::radians(steps.degrees) / 2)),
      budget_(budget),
      times_(motion.times()),
      begin_(motion.begin()) {
    for (std::uint32_t joint = 0; joint < skeleton.joints.size(); ++joint)
        tracks_.push_back(clip.trackOf(joint));
    if (times_.empty())
        times_.push_back(0);
    if (isBentBetweenKeys(motion)) {
        take(clip.frames);
        addFrames(clip.frames, begin_, clip.rate, times_);
    }
    lookAtKeys();
}

std::size_t ClipComparison::sameJoints() const {
    std::size_t same = 0;
    for (std::uint32_t joint = 0; joint < changed_.size(); ++joint)
        same += isChangedAtAnyKey(joint) ? 0U : 1U;
    return same;
}

bool ClipComparison::isMostlySameMotion() const {
    std::size_t same = 0;
    std::size_t others = 0;
    for (std::uint32_t joint = 0; joint < changed_.size(); ++joint)
        if (isChangedAtAnyKey(joint))
            ++others;
        else if (movesInOriginal(joint))
            ++same;
    return same > others || (same == 0 && others == 0);
}

ClipEdit ClipComparison::edit(std::size_t clip, EditUse use) const {
    ClipEdit edit;
    edit.clip = clip;
    edit.use = use;
    edit.name = motion_.name;
    edit.frames = use == EditUse::changes ? framesNow() : framesOf((motion_.end() - begin_) * clip_.rate + 1);
    take(edit.frames);
    std::vector<JointEdit> joints(skeleton_.joints.size());
    for (std::uint32_t frame = 0; frame < edit.frames; ++frame)
        addFrame(frame, joints, edit);
    for (std::uint32_t joint = 0; joint < joints.size(); ++joint) {
        joints[joint].joint = joint;
        if (!joints[joint].rotations.empty() || !joints[joint].translations.empty() || joints[joint].isScaled)
            edit.joints.push_back(std::move(joints[joint]));
    }
    return edit;
}

bool ClipComparison::isBetweenKeys(const ClipEdit& edit) const {
    const auto isBetween = [this](const auto& change) {
        const double time = begin_ + change.frame / clip_.rate;
        const auto after = std::ranges::lower_bound(times_, time - kSameTime);
        return after != times_.end() && *after > time + kSameTime;
    };
    return !hasKeysAtFrames() && std::ranges::any_of(edit.joints, [&](const JointEdit& joint) {
        return std::ranges::any_of(joint.rotations, isBetween) || std::ranges::any_of(joint.translations, isBetween);
    });
}

std::size_t ClipComparison::withoutKeys(const ClipEdit& edit) const {
    return static_cast<std::size_t>(std::ranges::count_if(edit.joints, [this](const JointEdit& joint) {
        return movesInOriginal(joint.joint) && !back_.hasKeys(nodes_, joint.joint);
    }));
}

std::vector<std::uint32_t> ClipComparison::movingJoints(const ClipEdit& edit) const {
    std::vector<std::uint32_t> moving;
    auto changed = edit.joints.begin();
    for (std::uint32_t joint = 0; joint < skeleton_.joints.size(); ++joint) {
        const bool isChanged = changed != edit.joints.end() && changed->joint == joint;
        if (movesInOriginal(joint) || (isChanged && movesInScene(*changed, edit.frames)))
            moving.push_back(joint);
        if (isChanged)
            ++changed;
    }
    return moving;
}

bool ClipComparison::isChanged(const JointPose& pose, std::uint32_t joint, double seconds) const {
    const Difference difference = differenceOf(pose, joint, seconds);
    return difference.isTurned || difference.isMoved || difference.isScaled;
}

/// Programs that add keys interpolate either by component, as Blender does, or along the arc, as players do. Neither
/// result is an edit.
ClipComparison::Difference ClipComparison::differenceOf(const JointPose& pose, std::uint32_t joint,
                                                        double seconds) const {
    if (!pose.isPlaced)
        return {};
    const JointPose original = shown(joint, seconds);
    const bool isUneven =
        pose.isTurned && std::abs(pose.unevenness - original.unevenness) > 2 * kGrown * (1 + original.unevenness);
    return {pose.isTurned && areTurned(pose.rotation, original.rotation) &&
                areTurned(pose.rotation, rotationInPlayers(joint, seconds)),
            glm::distance(pose.translation, original.translation) > steps_.metres,
            isUneven || hasGrown(pose.volume, original.volume)};
}

/// @param a, b unit quaternions
bool ClipComparison::areTurned(const glm::dquat& a, const glm::dquat& b) const {
    return std::abs(glm::dot(a, b)) < sameRotation_;
}

/// True if the scene's keys are on frames of the original. False if they are only on every second or third frame, as
/// after sampling at a lower rate.
bool ClipComparison::hasKeysAtFrames() const {
    return !isSampledCoarser() && std::ranges::all_of(times_, [this](double time) {
        const double frame = (time - begin_) * clip_.rate;
        return std::abs(frame - std::round(frame)) < 0.02;
    });
}

bool ClipComparison::isSampledCoarser() const {
    if (times_.size() < 3)
        return false;
    const double step = times_[1] - times_[0];
    bool isEven = step * clip_.rate > 1.5;
    for (std::size_t key = 2; key < times_.size(); ++key)
        isEven = isEven && std::abs(times_[key] - times_[key - 1] - step) < kSameTime;
    return isEven;
}

void ClipComparison::take(std::size_t poses) const {
    budget_.take(std::uint64_t{poses} * skeleton_.joints.size(), {motion_.name, std::nullopt});
}

JointPose ClipComparison::shown(std::uint32_t joint, double seconds) const {
    return shownOf(skeleton_.joints[joint], clip_, tracks_[joint], seconds);
}

/// The original's rotation as players show it: at constant speed between keys.
glm::dquat ClipComparison::rotationInPlayers(std::uint32_t joint, double seconds) const {
    const glm::quat& rest = skeleton_.joints[joint].rest.rotation;
    const JointTrack* track = tracks_[joint];
    return glm::normalize(glm::dquat(track != nullptr ? sampleChannel(clip_, track->rotation, seconds, rest) : rest));
}

void ClipComparison::lookAtKeys() {
    take(times_.size());
    changed_.assign(skeleton_.joints.size(), std::vector<bool>(times_.size(), false));
    for (std::size_t key = 0; key < times_.size(); ++key) {
        const LocalPose pose = poseAt(times_[key]);
        for (std::uint32_t joint = 0; joint < skeleton_.joints.size(); ++joint)
            changed_[joint][key] = isChanged(pose[joint], joint, times_[key] - begin_);
    }
}

/// Programs cut clips at whole frames of their own rate, so differences of up to one and a half frames are ignored.
std::uint32_t ClipComparison::framesNow() const {
    const double frames = (motion_.end() - begin_) * clip_.rate + 1;
    const double change = frames - clip_.frames;
    const double least = hasKeysAtFrames() ? 0.5 : 1.5;
    if (motion_.tracks.empty() || std::abs(change) < least || (std::abs(change - 1) < 0.5 && isClosed()))
        return clip_.frames;
    return framesOf(frames);
}

/// True if the scene ends in its first pose, and either the original does not or the extras count an added key.
bool ClipComparison::isClosed() const {
    const LocalPose first = poseAt(begin_);
    const LocalPose last = poseAt(motion_.end());
    bool isOriginals = true;
    for (std::uint32_t joint = 0; joint < skeleton_.joints.size(); ++joint) {
        if (areTurned(first[joint].rotation, last[joint].rotation) ||
            glm::distance(first[joint].translation, last[joint].translation) > steps_.metres)
            return false;
        const JointPose end = shown(joint, clip_.duration);
        isOriginals = isOriginals && !areTurned(first[joint].rotation, end.rotation) &&
                      glm::distance(first[joint].translation, end.translation) <= steps_.metres;
    }
    return !isOriginals || (motion_.stated && motion_.stated->frames == clip_.frames + 1);
}

bool ClipComparison::isChangedAtAnyKey(std::uint32_t joint) const {
    return std::ranges::any_of(changed_[joint], [](bool changed) { return changed; });
}

/// True if the scene's keys around a time differ from the original.
bool ClipComparison::isChangedAt(std::uint32_t joint, double time) const {
    const auto after = std::lower_bound(times_.begin(), times_.end(), time - kSameTime);
    const auto last = static_cast<std::size_t>(std::distance(times_.begin(), after));
    if (last == times_.size())
        return changed_[joint].back();
    if (*after <= time + kSameTime || last == 0)
        return changed_[joint][last];
    return changed_[joint][last] || changed_[joint][last - 1];
}

void ClipComparison::addFrame(std::uint32_t frame, std::vector<JointEdit>& joints, ClipEdit& edit) const {
    const double seconds = frame / clip_.rate;
    std::optional<LocalPose> pose;
    for (std::uint32_t joint = 0; joint < joints.size(); ++joint) {
        if (frame < clip_.frames && !isChangedAt(joint, begin_ + seconds))
            continue;
        if (!pose)
            pose = poseAt(begin_ + seconds);
        const JointPose& own = (*pose)[joint];
        const Difference difference = differenceOf(own, joint, seconds);
        joints[joint].isScaled = joints[joint].isScaled || difference.isScaled;
        if (difference.isTurned) {
            joints[joint].rotations.push_back({frame, own.rotation});
            keepLarger(edit.turned, {degreesBetween(own.rotation, shown(joint, seconds).rotation), joint, frame});
        }
        if (difference.isMoved) {
            joints[joint].translations.push_back({frame, own.translation});
            keepLarger(edit.moved, {glm::distance(own.translation, shown(joint, seconds).translation), joint, frame});
        }
    }
}

bool ClipComparison::movesInOriginal(std::uint32_t joint) const {
    bool moves = false;
    if (const JointTrack* track = tracks_[joint])
        forEachChannel(*track, [&moves](const auto& channel) {
            moves = moves || std::ranges::any_of(channel.values, [&channel](const auto& value) {
                        return value != channel.values.front();
                    });
        });
    return moves;
}

/// @param edit edit of a joint that does not move in the original; frames that it does not list are unchanged
bool ClipComparison::movesInScene(const JointEdit& edit, std::uint32_t frames) const {
    const auto varies = [frames](const auto& changes, const auto& differs) {
        return !changes.empty() && (changes.size() < frames || std::ranges::any_of(changes, [&](const auto& change) {
                                        return differs(change, changes.front());
                                    }));
    };
    return varies(edit.rotations,
                  [this](const RotationEdit& a, const RotationEdit& b) { return areTurned(a.rotation, b.rotation); }) ||
           varies(edit.translations, [this](const TranslationEdit& a, const TranslationEdit& b) {
               return glm::distance(a.translation, b.translation) > steps_.metres;
           });
}

}  // namespace reanima::core
