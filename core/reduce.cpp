#include "core/reduce.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/pose.h"
#include "core/rotation.h"

namespace reanima::core {

namespace {

/// How far a turn of every joint carries what hangs on it: the distance to the farthest joint or bone's end below, in
/// the rest pose. At least a twentieth of the whole: a turning hand is seen even where its bone's end is not known.
std::vector<double> reachesOf(const Skeleton& skeleton) {
    const std::vector<glm::dmat4> globals = globalMatrices(skeleton, restPose(skeleton));
    const double least = verticalExtent(skeleton, restPose(skeleton)).height() / 20;
    std::vector<double> reaches(globals.size(), std::max(least, 1e-6));
    for (std::size_t joint = 0; joint < globals.size(); ++joint) {
        glm::dvec3 places[2] = {globals[joint][3], globals[joint][3]};
        if (skeleton.joints[joint].end)
            places[1] = globals[joint] * glm::dvec4(glm::dvec3(*skeleton.joints[joint].end), 1);
        for (int above = static_cast<int>(joint); above != kNoParent;
             above = skeleton.joints[static_cast<std::size_t>(above)].parent)
            for (const glm::dvec3& place : places)
                reaches[static_cast<std::size_t>(above)] =
                    std::max(reaches[static_cast<std::size_t>(above)],
                             glm::distance(place, glm::dvec3(globals[static_cast<std::size_t>(above)][3])));
    }
    return reaches;
}

/// Metres by which two values of a channel differ at most, on a lever of that length.
double apart(const glm::vec3& a, const glm::vec3& b, double) { return static_cast<double>(glm::distance(a, b)); }
double apart(const glm::quat& a, const glm::quat& b, double reach) {
    const glm::dquat difference = glm::conjugate(glm::dquat(a)) * glm::dquat(b);
    return 2 * glm::length(glm::dvec3(difference.x, difference.y, difference.z)) * reach;
}

glm::vec3 between(const glm::vec3& a, const glm::vec3& b, float share) { return a + (b - a) * share; }
glm::quat between(const glm::quat& a, const glm::quat& b, float share) {
    return glm::normalize(glm::slerp(a, b, share));
}

/// The keys that stay: the first and the last, and as few as possible in between, none of the left out ones being off
/// by more than `tolerance`.
template <typename T>
std::vector<std::size_t> keptKeys(const std::vector<float>& times, const std::vector<T>& values, double tolerance,
                                  double reach) {
    std::vector<std::size_t> kept = {0};
    const auto standsFor = [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first + 1; i < last; ++i) {
            const float share = (times[i] - times[first]) / (times[last] - times[first]);
            if (apart(between(values[first], values[last], share), values[i], reach) > tolerance)
                return false;
        }
        return true;
    };
    // From every kept key as far as possible: twice as far while it goes well, then halving.
    for (std::size_t first = 0; first + 1 < values.size();) {
        std::size_t good = first + 1;
        std::size_t step = 1;
        while (good < values.size() - 1) {
            const std::size_t next = std::min(good + step, values.size() - 1);
            if (!standsFor(first, next))
                break;
            good = next;
            step *= 2;
        }
        for (step /= 2; step > 0; step /= 2)
            if (good + step < values.size() && standsFor(first, good + step))
                good += step;
        kept.push_back(good);
        first = good;
    }
    return kept;
}

template <typename T>
void thin(Channel<T>& channel, const Clip& original, Clip& clip, double tolerance, double reach) {
    if (!channel.isAnimated() || channel.interpolation == Interpolation::step)
        return;
    const std::vector<float>& times = original.timelines[channel.timeline];
    std::vector<float> keptTimes;
    std::vector<T> keptValues;
    for (const std::size_t key : keptKeys(times, channel.values, tolerance, reach)) {
        keptTimes.push_back(times[key]);
        keptValues.push_back(channel.values[key]);
    }
    channel.values = std::move(keptValues);
    channel.timeline = timelineOf(clip, std::move(keptTimes));
}

Clip thinned(const Clip& original, const std::vector<double>& reaches, double tolerance) {
    Clip clip = original;
    clip.timelines.clear();
    for (JointTrack& track : clip.tracks) {
        thin(track.translation, original, clip, tolerance, 1);
        thin(track.rotation, original, clip, tolerance, reaches[track.joint]);
        thin(track.scale, original, clip, tolerance / reaches[track.joint], 1);
        const auto keepStep = [&](auto& channel) {
            if (channel.isAnimated() && channel.interpolation == Interpolation::step)
                channel.timeline = timelineOf(clip, original.timelines[channel.timeline]);
        };
        keepStep(track.translation);
        keepStep(track.rotation);
        keepStep(track.scale);
    }
    return clip;
}

std::size_t keysOf(const Clip& clip) {
    std::size_t keys = 0;
    for (const JointTrack& track : clip.tracks)
        keys += track.translation.values.size() + track.rotation.values.size() + track.scale.values.size();
    return keys;
}

std::vector<glm::dvec3> placesOf(const Skeleton& skeleton, const Clip& clip, double time) {
    const std::vector<glm::dmat4> globals = globalMatrices(skeleton, samplePose(skeleton, clip, time));
    std::vector<glm::dvec3> places;
    for (std::size_t joint = 0; joint < globals.size(); ++joint) {
        places.emplace_back(globals[joint][3]);
        places.emplace_back(skeleton.joints[joint].end
                                ? glm::dvec3(globals[joint] * glm::dvec4(glm::dvec3(*skeleton.joints[joint].end), 1))
                                : places.back());
    }
    return places;
}

/// The original's places, computed once.
class Yardstick {
  public:
    Yardstick(const Skeleton& skeleton, const Clip& original)
        : skeleton_(skeleton), times_(keyTimesAndMiddles({&original})) {
        for (const double time : times_)
            places_.push_back(placesOf(skeleton, original, time));
    }

    void measure(const Clip& clip, Reduction& result) const {
        result.worst = 0;
        double sum = 0;
        std::size_t count = 0;
        for (std::size_t t = 0; t < times_.size(); ++t) {
            const std::vector<glm::dvec3> places = placesOf(skeleton_, clip, times_[t]);
            for (std::size_t i = 0; i < places.size(); ++i) {
                const double distance = glm::distance(places[i], places_[t][i]);
                sum += distance;
                ++count;
                if (distance > result.worst) {
                    result.worst = distance;
                    result.where = {distance, static_cast<std::uint32_t>(i / 2), times_[t]};
                }
            }
        }
        result.mean = count > 0 ? sum / static_cast<double>(count) : 0;
    }

  private:
    const Skeleton& skeleton_;
    std::vector<double> times_;
    std::vector<std::vector<glm::dvec3>> places_;  // per time, joints and ends
};

}  // namespace

Reduction reduceKeys(const Skeleton& skeleton, Clip& clip, double tolerance) {
    const std::vector<double> reaches = reachesOf(skeleton);
    const Yardstick yardstick(skeleton, clip);
    Reduction best{keysOf(clip), keysOf(clip), 0, 0, {}};
    Clip kept = clip;
    // Errors of joints above one another add up, or cancel: how much each may have is found by trying.
    double good = 0;
    double bad = 2;
    constexpr int kTries = 8;
    for (int i = 0; i < kTries; ++i) {
        const double share = (good + bad) / 2;
        Clip candidate = thinned(clip, reaches, tolerance * share);
        Reduction measured{best.keysBefore, keysOf(candidate), 0, 0, {}};
        yardstick.measure(candidate, measured);
        if (measured.worst <= tolerance) {
            good = share;
            if (measured.keysAfter <= best.keysAfter) {
                best = measured;
                kept = std::move(candidate);
            }
        } else {
            bad = share;
        }
    }
    clip = std::move(kept);
    return best;
}

}  // namespace reanima::core
