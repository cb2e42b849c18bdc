#include "core/scene_motion.h"

#include <array>
#include <cmath>
#include <iterator>

#include "core/key_times.h"
#include "core/pose.h"

namespace reanima::core {

namespace {

/// Calls visit(channel) for the three channels of every track.
template <typename Visit>
void forEachKeys(const SceneMotion& motion, const Visit& visit) {
    for (const NodeTrack& track : motion.tracks) {
        visit(track.translation);
        visit(track.rotation);
        visit(track.scale);
    }
}

glm::vec3 between(const glm::vec3& a, const glm::vec3& b, float share) { return interpolated(a, b, share); }
glm::quat between(const glm::quat& a, const glm::quat& b, float share) { return interpolated(a, b, share); }
glm::vec3 usable(const glm::vec3& value) { return value; }
glm::quat usable(const glm::quat& value) { return glm::normalize(value); }

/// Interpolates like glTF's CUBICSPLINE. Tangents are per second.
template <typename T>
T cubic(const NodeChannel<T>& channel, std::size_t key, float share, float seconds) {
    const T& from = channel.values[3 * key + 1];
    const T& leaving = channel.values[3 * key + 2];
    const T& arriving = channel.values[3 * key + 3];
    const T& to = channel.values[3 * key + 4];
    const float square = share * share;
    const float cube = square * share;
    return usable(from * (2 * cube - 3 * square + 1) + leaving * (seconds * (cube - 2 * square + share)) +
                  to * (3 * square - 2 * cube) + arriving * (seconds * (cube - square)));
}

template <typename T>
T valueOf(const NodeChannel<T>& channel, double seconds) {
    const std::vector<float>& times = channel.times;
    const auto value = [&channel](std::size_t key) {
        return channel.values[channel.style == KeyStyle::cubic ? 3 * key + 1 : key];
    };
    if (channel.style == KeyStyle::step)
        return usable(value(keyHeldAt(times, seconds)));
    const auto after = std::upper_bound(times.begin(), times.end(), static_cast<float>(seconds));
    if (after == times.begin())
        return usable(value(0));
    const std::size_t key = static_cast<std::size_t>(std::distance(times.begin(), after)) - 1;
    if (after == times.end())
        return usable(value(key));
    const float length = times[key + 1] - times[key];
    const float share = static_cast<float>(seconds - static_cast<double>(times[key])) / length;
    if (share == 0)  // at the time of a key: its value
        return usable(value(key));
    return channel.style == KeyStyle::cubic ? cubic(channel, key, share, length)
                                            : between(value(key), value(key + 1), share);
}

}  // namespace

double SceneMotion::begin() const {
    double first = 0;
    bool any = false;
    forEachKeys(*this, [&](const auto& channel) {
        if (!channel.isPresent())
            return;
        const auto time = static_cast<double>(channel.times.front());
        first = any ? std::min(first, time) : time;
        any = true;
    });
    return first;
}

double SceneMotion::end() const {
    double last = 0;
    forEachKeys(*this, [&last](const auto& channel) {
        if (channel.isPresent())
            last = std::max(last, static_cast<double>(channel.times.back()));
    });
    return last;
}

std::vector<double> SceneMotion::times() const {
    std::vector<double> all;
    forEachKeys(*this,
                [&all](const auto& channel) { all.insert(all.end(), channel.times.begin(), channel.times.end()); });
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

namespace {

constexpr double kUsualRate = 30;

/// The times, merging those that differ only by rounding.
std::vector<double> apart(const std::vector<double>& times) {
    std::vector<double> kept;
    for (const double time : times)
        if (kept.empty() || time - kept.back() > kSameTime)
            kept.push_back(time);
    return kept;
}

/// True if all times are at frames, counted from the first time.
bool lieOnFrames(const std::vector<double>& times, double rate) {
    constexpr double kShareOfFrame = 0.05;
    return std::ranges::all_of(times, [&](double time) {
        const double frame = (time - times.front()) * rate;
        return std::abs(frame - std::round(frame)) <= kShareOfFrame;
    });
}

}  // namespace

double keyRate(const SceneMotion& motion) {
    if (motion.rate > 0)
        return motion.rate;
    const std::vector<double> times = apart(motion.times());
    if (times.size() < 2)
        return kUsualRate;
    double shortest = times.back() - times.front();
    for (std::size_t i = 1; i < times.size(); ++i)
        shortest = std::min(shortest, times[i] - times[i - 1]);
    constexpr double kSlowest = 8;  // with fewer keys per second, the keys are not samples of a motion
    constexpr double kNearlyWhole = 1e-3;
    const double sampled = static_cast<double>(times.size() - 1) / (times.back() - times.front());
    if (sampled >= kSlowest && std::abs(sampled * shortest - 1) < 0.5 && lieOnFrames(times, sampled))
        return std::abs(sampled - std::round(sampled)) <= kNearlyWhole * sampled ? std::round(sampled) : sampled;
    for (const double rate : {24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 100.0, 120.0, 240.0})
        if (rate * shortest > 0.5 && lieOnFrames(times, rate))
            return rate;
    return kUsualRate;
}

std::uint64_t memoryOf(const SceneMotion& motion) {
    std::uint64_t bytes = 0;
    forEachKeys(motion, [&bytes](const auto& channel) {
        bytes += channel.times.capacity() * sizeof(float) + channel.values.capacity() * sizeof(channel.values[0]);
    });
    return bytes;
}

std::uint64_t memoryOf(const MovingScene& moving) {
    std::uint64_t bytes = 0;
    for (const SceneMotion& motion : moving.motions)
        bytes += memoryOf(motion);
    return bytes;
}

glm::vec3 valueAt(const NodeChannel<glm::vec3>& channel, double seconds) { return valueOf(channel, seconds); }
glm::quat valueAt(const NodeChannel<glm::quat>& channel, double seconds) { return valueOf(channel, seconds); }

}  // namespace reanima::core
