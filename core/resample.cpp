#include "core/resample.h"

#include <cmath>

#include "core/edit.h"
#include "core/pose.h"
#include "core/rotation.h"

namespace reanima::core {

namespace {

/// 0, 1 / rate, ...; the last one is `end` unless it is to be left out.
std::vector<float> evenTimes(double end, double rate, bool withEnd) {
    constexpr double kRounding = 1e-6;  // a step that ends here is the end
    std::vector<float> times;
    const auto steps = static_cast<std::size_t>(std::floor(end * rate + kRounding));
    for (std::size_t i = 0; i <= steps; ++i)
        times.push_back(frameTime(static_cast<double>(i), rate));
    if (std::abs(static_cast<double>(times.back()) - end) < kRounding) {
        if (!withEnd)
            times.pop_back();
        else
            times.back() = static_cast<float>(end);
    } else if (withEnd) {
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

}  // namespace

void resample(Clip& clip, double rate) {
    Clip original = clip;
    const bool loops = clip.loop.value_or(false) && clip.frames > 1;
    if (loops)
        addLoopKey(original);
    const std::vector<float> times = evenTimes(original.duration, rate, !loops);
    clip.tracks = original.tracks;
    clip.travel = original.travel;
    forEachChannel(clip, [&](auto& channel) { resampleChannel(channel, original, times); });
    clip.timelines = {times};
    clip.rate = rate;
    clip.frames = static_cast<std::uint32_t>(times.size());
    clip.duration = static_cast<double>(times.back());
}

}  // namespace reanima::core
