#include "core/resample.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "core/edit.h"
#include "core/pose.h"
#include "core/rotation.h"

namespace reanima::core {

namespace {

constexpr double kStepRounding = 1e-6;  // a step that ends this close to the end is the last one

bool continuesAtItsStart(const Clip& clip) { return clip.loop.value_or(false) && clip.frames > 1; }

/// The number of whole steps up to the end, as double: for very long clips it exceeds 64 bits.
double stepsIn(double end, double rate) { return std::floor(end * rate + kStepRounding); }

/// The highest possible number of keys of a clip. The times count as one more channel.
double keysOf(const Clip& clip, double rate) {
    double channels = 1 + int{clip.travel.isAnimated()};
    for (const JointTrack& track : clip.tracks)
        channels +=
            int{track.translation.isAnimated()} + int{track.rotation.isAnimated()} + int{track.scale.isAnimated()};
    const double end = continuesAtItsStart(clip) ? clip.frames / clip.rate : clip.duration;
    return channels * (stepsIn(end, rate) + 2);
}

enum class LastKey { atEnd, leftOut };

/// 0, 1 / rate, ...
std::vector<float> evenTimes(double end, double rate, LastKey last) {
    std::vector<float> times;
    const auto steps = static_cast<std::size_t>(stepsIn(end, rate));
    for (std::size_t i = 0; i <= steps; ++i)
        times.push_back(frameTime(static_cast<double>(i), rate));
    if (std::abs(static_cast<double>(times.back()) - end) < kStepRounding) {
        if (last == LastKey::leftOut)
            times.pop_back();
        else
            times.back() = static_cast<float>(end);
    } else if (last == LastKey::atEnd) {
        times.push_back(static_cast<float>(end));
    }
    return times;
}

void keepSign(std::vector<glm::vec3>&) {}
void keepSign(std::vector<glm::quat>& values) {
    for (std::size_t i = 1; i < values.size(); ++i)
        values[i] = nearestSign(values[i], values[i - 1]);
}

template <typename T>
void resampleChannel(Channel<T>& channel, const Clip& original, const std::vector<float>& times) {
    if (!channel.isAnimated())
        return;
    std::vector<T> values;
    values.reserve(times.size());
    for (const float time : times)
        values.push_back(sampleChannel(original, channel, static_cast<double>(time), T{}));
    keepSign(values);
    channel.values = std::move(values);
    channel.timeline = 0;
}

void resampleClip(Clip& clip, double rate) {
    Clip original = clip;
    const bool loops = continuesAtItsStart(clip);
    if (loops)
        addLoopKey(original);
    const std::vector<float> times = evenTimes(original.duration, rate, loops ? LastKey::leftOut : LastKey::atEnd);
    clip.tracks = original.tracks;
    clip.travel = original.travel;
    forEachChannel(clip, [&](auto& channel) { resampleChannel(channel, original, times); });
    clip.timelines = {times};
    clip.rate = rate;
    clip.frames = static_cast<std::uint32_t>(times.size());
    clip.duration = static_cast<double>(times.back());
}

}  // namespace

void resample(std::span<Clip> clips, double rate, const Limits& limits) {
    if (!(rate > 0 && std::isfinite(rate)))
        throw std::invalid_argument("resample: the rate must be above 0");
    constexpr double kCountable = 1e18;
    double keys = 0;
    for (const Clip& clip : clips)
        keys += keysOf(clip, rate);
    requireMemory(memoryOfKeys(static_cast<std::uint64_t>(std::min(keys, kCountable))), limits,
                  {fmt::format("keys at {} per second", rate), std::nullopt});
    for (Clip& clip : clips)
        resampleClip(clip, rate);
}

}  // namespace reanima::core
