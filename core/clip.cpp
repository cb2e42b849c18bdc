#include "core/clip.h"

#include <algorithm>
#include <set>

namespace reanima::core {

const JointTrack* Clip::trackOf(std::uint32_t joint) const {
    const auto track = std::lower_bound(tracks.begin(), tracks.end(), joint,
                                        [](const JointTrack& t, std::uint32_t j) { return t.joint < j; });
    return track != tracks.end() && track->joint == joint ? &*track : nullptr;
}

JointTrack* Clip::trackOf(std::uint32_t joint) {
    return const_cast<JointTrack*>(static_cast<const Clip*>(this)->trackOf(joint));  // NOLINT: the clip is not const
}

std::uint32_t timelineOf(Clip& clip, std::vector<float> times) {
    const auto known = std::find(clip.timelines.begin(), clip.timelines.end(), times);
    const auto index = static_cast<std::uint32_t>(known - clip.timelines.begin());
    if (known == clip.timelines.end())
        clip.timelines.push_back(std::move(times));
    return index;
}

std::vector<float> frameTimes(std::size_t count, double rate) {
    std::vector<float> times(count);
    for (std::size_t frame = 0; frame < count; ++frame)
        times[frame] = frameTime(static_cast<double>(frame), rate);
    return times;
}

std::vector<std::uint32_t> numbersOf(const std::vector<Clip>& clips) {
    std::vector<std::uint32_t> numbers;
    std::set<std::uint32_t> taken;
    std::vector<std::size_t> doubled;
    for (std::size_t i = 0; i < clips.size(); ++i) {
        numbers.push_back(clips[i].index);
        if (!taken.insert(clips[i].index).second)
            doubled.push_back(i);
    }
    std::uint32_t next = taken.empty() ? 0 : *taken.rbegin();
    for (const std::size_t i : doubled)
        numbers[i] = ++next;
    return numbers;
}

}  // namespace reanima::core
