#include "core/compare.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace reanima::core {

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
