#include "tools/reanima/jobs/clip_sources.h"

namespace reanima::tool {

std::optional<std::string> withoutNumber(const std::string& clip) {
    constexpr std::size_t kNumber = 4;  // length of `.001`
    if (clip.size() <= kNumber || clip[clip.size() - kNumber] != '.' ||
        clip.find_last_not_of("0123456789") != clip.size() - kNumber)
        return std::nullopt;
    return clip.substr(0, clip.size() - kNumber);
}

const core::ClipSource* sourceOf(const std::string& clip, const std::map<std::string, core::ClipSource>& sources) {
    auto source = sources.find(clip);
    if (const auto name = source == sources.end() ? withoutNumber(clip) : std::nullopt)
        source = sources.find(*name);
    return source == sources.end() ? nullptr : &source->second;
}

}  // namespace reanima::tool
