/// A source skeleton in motion.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

#include "core/rotation.h"
#include "linked_skeletons.h"

namespace reanima::motion {

using namespace core;

/// A joint and its ancestors, nearest first.
inline std::vector<std::uint32_t> upwards(const Skeleton& skeleton, std::optional<std::uint32_t> joint) {
    std::vector<std::uint32_t> chain;
    if (joint)
        for (const std::uint32_t above : skeleton.upFrom(*joint))
            chain.push_back(above);
    return chain;
}

/// The joints that determine one joint's transform relative to another: up from the first to their common ancestor, and
/// down again.
struct Path {
    std::vector<std::uint32_t> up;    // parents first
    std::vector<std::uint32_t> down;  // parents first
};

/// @param from none: model space
inline Path pathBetween(const Skeleton& skeleton, std::optional<std::uint32_t> from, std::optional<std::uint32_t> to) {
    Path path{upwards(skeleton, from), upwards(skeleton, to)};
    while (!path.up.empty() && !path.down.empty() && path.up.back() == path.down.back()) {
        path.up.pop_back();
        path.down.pop_back();
    }
    std::reverse(path.up.begin(), path.up.end());
    std::reverse(path.down.begin(), path.down.end());
    return path;
}

/// Local values of one clip at any time.
class SourceMotion {
  public:
    SourceMotion(const Skeleton& skeleton, const Clip& clip) : skeleton_(skeleton), clip_(clip) {}

    [[nodiscard]] const JointTrack* track(std::uint32_t joint) const { return clip_.trackOf(joint); }
    [[nodiscard]] const std::vector<float>& times(std::uint32_t timeline) const { return clip_.timelines[timeline]; }

    [[nodiscard]] glm::dquat rotation(std::uint32_t joint, float time) const {
        const JointTrack* t = track(joint);
        const glm::quat& rest = skeleton_.joints[joint].rest.rotation;
        return normalized(t != nullptr ? sampleChannel(clip_, t->rotation, static_cast<double>(time), rest) : rest);
    }

    [[nodiscard]] glm::dvec3 translation(std::uint32_t joint, float time) const {
        const JointTrack* t = track(joint);
        const glm::vec3& rest = skeleton_.joints[joint].rest.translation;
        return t != nullptr ? sampleChannel(clip_, t->translation, static_cast<double>(time), rest) : rest;
    }

    [[nodiscard]] double scale(std::uint32_t joint, float time) const {
        const JointTrack* t = track(joint);
        const glm::vec3& rest = skeleton_.joints[joint].rest.scale;
        return uniformly(t != nullptr ? sampleChannel(clip_, t->scale, static_cast<double>(time), rest) : rest);
    }

    [[nodiscard]] glm::dquat rotation(const Path& path, float time) const {
        glm::dquat up = kNoTurn;
        for (const std::uint32_t joint : path.up)
            up = up * rotation(joint, time);
        glm::dquat down = kNoTurn;
        for (const std::uint32_t joint : path.down)
            down = down * rotation(joint, time);
        return glm::conjugate(up) * down;
    }

    /// The position of the last joint in model space.
    [[nodiscard]] glm::dvec3 position(const std::vector<std::uint32_t>& fromRoot, float time) const {
        glm::dquat turned = kNoTurn;
        double scaled = 1;
        glm::dvec3 position(0);
        for (const std::uint32_t joint : fromRoot) {
            position += turned * (scaled * translation(joint, time));
            turned = turned * rotation(joint, time);
            scaled *= scale(joint, time);
        }
        return position;
    }

  private:
    const Skeleton& skeleton_;
    const Clip& clip_;
};

/// Key times of a value that depends on several channels: the union of their times.
class KeyTimes {
  public:
    explicit KeyTimes(const SourceMotion& motion) : motion_(motion) {}

    void addRotations(const std::vector<std::uint32_t>& joints) {
        for (const std::uint32_t joint : joints)
            if (const JointTrack* track = motion_.track(joint))
                add(track->rotation);
    }
    void addTranslations(const std::vector<std::uint32_t>& joints) {
        for (const std::uint32_t joint : joints)
            if (const JointTrack* track = motion_.track(joint))
                add(track->translation);
    }

    /// Empty: nothing changes.
    [[nodiscard]] const std::vector<float>& times() const { return times_; }
    [[nodiscard]] Interpolation interpolation() const { return linear_ ? Interpolation::linear : Interpolation::step; }

  private:
    template <typename T>
    void add(const Channel<T>& channel) {
        if (!channel.isAnimated())
            return;
        linear_ = linear_ || channel.interpolation == Interpolation::linear;
        const std::vector<float>& more = motion_.times(channel.timeline);
        if (times_.empty() || times_ == more) {
            times_ = more;
            return;
        }
        std::vector<float> both;
        std::set_union(times_.begin(), times_.end(), more.begin(), more.end(), std::back_inserter(both));
        times_ = std::move(both);
    }

    const SourceMotion& motion_;
    std::vector<float> times_;
    bool linear_ = false;
};

template <typename T>
void append(std::vector<T>& values, const T& value) {
    values.push_back(value);
}
inline void append(std::vector<glm::quat>& values, const glm::quat& value) {
    values.push_back(values.empty() ? value : nearestSign(value, values.back()));
}

/// A channel with a value at each of the times; a constant channel if there are no times.
template <typename T, typename Compute>
Channel<T> makeChannel(Clip& clip, const KeyTimes& keys, Compute compute) {
    Channel<T> channel;
    channel.interpolation = keys.times().empty() ? Interpolation::linear : keys.interpolation();
    if (keys.times().empty()) {
        channel.values.push_back(compute(0.0F));
        return channel;
    }
    channel.timeline = timelineOf(clip, keys.times());
    channel.values.reserve(keys.times().size());
    for (const float time : keys.times())
        append(channel.values, T(compute(time)));
    return channel;
}

}  // namespace reanima::motion
