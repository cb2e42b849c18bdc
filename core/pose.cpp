#include "core/pose.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <glm/gtc/matrix_transform.hpp>

#include "core/key_times.h"
#include "core/rotation.h"

namespace reanima::core {

glm::vec3 interpolated(const glm::vec3& a, const glm::vec3& b, float share) { return a + (b - a) * share; }
/// In doubles: float functions differ between C libraries in the last bit, but outputs must not.
glm::quat interpolated(const glm::quat& a, const glm::quat& b, float share) {
    return glm::quat(glm::normalize(glm::slerp(glm::dquat(a), glm::dquat(b), static_cast<double>(share))));
}

namespace {

/// True for a key at the end of a held value: the key before it has nearly the same time.
bool isJump(const std::vector<float>& times, std::size_t key) {
    return key > 0 && static_cast<double>(times[key] - times[key - 1]) <= kSameTime;
}

template <typename T>
T sample(const Clip& clip, const Channel<T>& channel, double seconds, const T& rest) {
    if (channel.values.empty())
        return rest;
    if (channel.values.size() == 1)
        return channel.values.front();
    const std::vector<float>& times = clip.timelines[channel.timeline];
    const auto next = std::upper_bound(times.begin(), times.end(), seconds);
    if (next == times.begin())
        return channel.values.front();
    if (next == times.end())
        return channel.values.back();
    const auto index = static_cast<std::size_t>(next - times.begin());
    if (static_cast<double>(times[index - 1]) == seconds)
        return channel.values[index - 1];
    const bool isStep = channel.interpolation == Interpolation::step;
    if (isStep || static_cast<double>(times[index]) - seconds <= kSameTime) {
        const std::size_t held = keyHeldAt(times, seconds);
        if (isStep || isJump(times, held))
            return channel.values[held];
    }
    const double share = (seconds - static_cast<double>(times[index - 1])) /
                         (static_cast<double>(times[index]) - static_cast<double>(times[index - 1]));
    return interpolated(channel.values[index - 1], channel.values[index], static_cast<float>(share));
}

}  // namespace

glm::dmat4 matrixOf(const Transform& transform) {
    glm::dmat4 matrix = glm::mat4_cast(glm::normalize(glm::dquat(transform.rotation)));
    for (int axis = 0; axis < 3; ++axis)
        matrix[axis] *= static_cast<double>(transform.scale[axis]);
    matrix[3] = glm::dvec4(glm::dvec3(transform.translation), 1);
    return matrix;
}

Pose restPose(const Skeleton& skeleton) {
    Pose pose;
    pose.reserve(skeleton.joints.size());
    for (const Joint& joint : skeleton.joints)
        pose.push_back(joint.rest);
    return pose;
}

Pose samplePose(const Skeleton& skeleton, const Clip& clip, double seconds) {
    return samplePose(skeleton, clip, seconds, std::vector<bool>(skeleton.joints.size(), true));
}

Pose samplePose(const Skeleton& skeleton, const Clip& clip, double seconds, const std::vector<bool>& wanted) {
    Pose pose = restPose(skeleton);
    for (const JointTrack& track : clip.tracks) {
        if (!wanted[track.joint])
            continue;
        Transform& local = pose[track.joint];
        local.translation = sample(clip, track.translation, seconds, local.translation);
        local.rotation = sample(clip, track.rotation, seconds, local.rotation);
        local.scale = sample(clip, track.scale, seconds, local.scale);
    }
    return pose;
}

glm::vec3 sampleChannel(const Clip& clip, const Channel<glm::vec3>& channel, double seconds, const glm::vec3& rest) {
    return sample(clip, channel, seconds, rest);
}

glm::quat sampleChannel(const Clip& clip, const Channel<glm::quat>& channel, double seconds, const glm::quat& rest) {
    return sample(clip, channel, seconds, rest);
}

std::vector<glm::dmat4> globalMatrices(const Skeleton& skeleton, const Pose& pose) {
    std::vector<glm::dmat4> globals;
    globals.reserve(pose.size());
    for (std::size_t joint = 0; joint < pose.size(); ++joint) {
        const int parent = skeleton.joints[joint].parent;
        const glm::dmat4 local = matrixOf(pose[joint]);
        globals.push_back(parent == kNoParent ? local : globals[static_cast<std::size_t>(parent)] * local);
    }
    return globals;
}

std::vector<glm::dmat4> bindMatrices(const Skeleton& skeleton) {
    std::vector<glm::dmat4> globals;
    globals.reserve(skeleton.joints.size());
    for (const Joint& joint : skeleton.joints) {
        const glm::dmat4 local = matrixOf(joint.rest);
        globals.push_back(joint.bind                  ? *joint.bind
                          : joint.parent == kNoParent ? local
                                                      : globals[static_cast<std::size_t>(joint.parent)] * local);
    }
    return globals;
}

Clip clipOfPoses(const std::vector<Pose>& poses) {
    Clip clip;
    clip.frames = static_cast<std::uint32_t>(poses.size());
    clip.timelines.push_back(frameTimes(poses.size(), clip.rate));
    for (std::uint32_t joint = 0; joint < (poses.empty() ? 0 : poses.front().size()); ++joint) {
        JointTrack& track = clip.tracks.emplace_back();
        track.joint = joint;
        for (const Pose& pose : poses) {
            track.translation.values.push_back(pose[joint].translation);
            std::vector<glm::quat>& rotations = track.rotation.values;
            rotations.push_back(rotations.empty() ? pose[joint].rotation
                                                  : nearestSign(pose[joint].rotation, rotations.back()));
            track.scale.values.push_back(pose[joint].scale);
        }
    }
    clip.duration = static_cast<double>(clip.timelines.front().empty() ? 0.0F : clip.timelines.front().back());
    return clip;
}

VerticalExtent verticalExtent(const Skeleton& skeleton, const Pose& pose) {
    double bottom = std::numeric_limits<double>::infinity();
    double top = -bottom;
    const auto include = [&](double y) {
        bottom = std::min(bottom, y);
        top = std::max(top, y);
    };
    const std::vector<glm::dmat4> globals = globalMatrices(skeleton, pose);
    for (std::size_t joint = 0; joint < globals.size(); ++joint) {
        include(globals[joint][3].y);
        if (skeleton.joints[joint].end)
            include((globals[joint] * glm::dvec4(glm::dvec3(*skeleton.joints[joint].end), 1)).y);
    }
    return globals.empty() ? VerticalExtent{} : VerticalExtent{bottom, top};
}

std::vector<double> keyTimesAndMiddles(std::initializer_list<const Clip*> clips) {
    std::vector<double> times;
    for (const Clip* clip : clips)
        for (const std::vector<float>& timeline : clip->timelines)
            times.insert(times.end(), timeline.begin(), timeline.end());
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    for (std::size_t i = 1, keys = times.size(); i < keys; ++i)
        times.push_back((times[i - 1] + times[i]) / 2);
    return times;
}

namespace {

glm::dquat rotationOf(const glm::dmat4& matrix) {
    glm::dmat3 rotation(matrix);
    for (int axis = 0; axis < 3; ++axis)
        rotation[axis] = glm::normalize(rotation[axis]);
    return glm::quat_cast(rotation);
}

void keepLarger(Deviation& largest, double value, std::size_t joint, double time) {
    if (value > largest.value)
        largest = {value, static_cast<std::uint32_t>(joint), time};
}

void keepLarger(Comparison& largest, const Comparison& other) {
    keepLarger(largest.distance, other.distance.value, other.distance.joint, other.distance.time);
    keepLarger(largest.angle, other.angle.value, other.angle.joint, other.angle.time);
}

}  // namespace

double degreesBetween(const glm::dquat& a, const glm::dquat& b) {
    const glm::dquat difference = glm::conjugate(a) * b;
    const double sine = glm::length(glm::dvec3(difference.x, difference.y, difference.z));
    return 2 * std::atan2(sine, std::abs(difference.w)) * 180 / std::numbers::pi;
}

double degreesBetween(const glm::dmat4& a, const glm::dmat4& b) { return degreesBetween(rotationOf(a), rotationOf(b)); }

Comparison comparePoses(const Skeleton& skeleton, const Pose& a, const Pose& b, double time) {
    const std::vector<glm::dmat4> globalsA = globalMatrices(skeleton, a);
    const std::vector<glm::dmat4> globalsB = globalMatrices(skeleton, b);
    Comparison result;
    for (std::size_t joint = 0; joint < globalsA.size(); ++joint) {
        keepLarger(result.distance, glm::distance(glm::dvec3(globalsA[joint][3]), glm::dvec3(globalsB[joint][3])),
                   joint, time);
        keepLarger(result.angle, degreesBetween(globalsA[joint], globalsB[joint]), joint, time);
    }
    return result;
}

Comparison compareClips(const Skeleton& skeleton, const Clip& a, const Clip& b) {
    Comparison result;
    for (const double time : keyTimesAndMiddles({&a, &b}))
        keepLarger(result, comparePoses(skeleton, samplePose(skeleton, a, time), samplePose(skeleton, b, time), time));
    return result;
}

}  // namespace reanima::core
