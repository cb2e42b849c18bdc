#include "tools/reanima/jobs/clip_sources.h"

#include <optional>

#include <nlohmann/json.hpp>

#include "formats/common_options.h"
#include "gltf_export/glb_chunks.h"
#include "json/json.h"

namespace reanima::tool {

namespace {

core::Bytes jsonOf(core::Bytes bytes) {
    if (!gltf::isGlb(bytes))
        return bytes;
    constexpr std::size_t kHeaders = gltf::kGlbHeader + gltf::kChunkHeader;
    const std::optional<std::uint32_t> size =
        bytes.size() < kHeaders ? std::nullopt : gltf::jsonSizeOf(bytes.first(kHeaders), bytes.size());
    return size ? bytes.subspan(kHeaders, *size) : core::Bytes();
}

/// @param clip the extras that `convert` writes into an animation
void addSource(const Json& clip, const std::string& name, std::map<std::string, ClipSource>& sources) {
    if (!clip.is_object() || !clip.contains("source") || !clip.at("source").is_string() || name.empty())
        return;
    ClipSource source{clip.at("source").get<std::string>(), {}, {}};
    constexpr std::uint64_t kMost = 0xFFFFFFFF;
    if (clip.contains("index") && clip.at("index").is_number_unsigned() &&
        clip.at("index").get<std::uint64_t>() <= kMost)
        source.index = clip.at("index").get<std::uint32_t>();
    if (clip.contains("rate") && clip.at("rate").is_number())
        if (const double rate = clip.at("rate").get<double>();
            rate >= kRateOption.minimum && rate <= kRateOption.maximum)
            source.rate = rate;
    sources.emplace(name, std::move(source));
}

std::string textNameOf(const Json& object) {
    return object.is_object() && object.contains("name") && object.at("name").is_string()
               ? object.at("name").get<std::string>()
               : std::string();
}

}  // namespace

std::map<std::string, ClipSource> clipSourcesOf(core::Bytes bytes) {
    std::map<std::string, ClipSource> sources;
    const Json json = parseJson(jsonOf(bytes));
    const auto elements = [](const Json& object, const char* key) {
        return object.is_object() && object.contains(key) && object.at(key).is_array() ? object.at(key) : Json::array();
    };
    for (const Json& animation : elements(json, "animations"))
        if (animation.is_object() && animation.contains("extras"))
            addSource(animation.at("extras"), textNameOf(animation), sources);
    const Json::json_pointer ours("/extras/reanima");
    for (const Json& scene : elements(json, "scenes"))
        if (scene.is_object() && scene.contains(ours))
            for (const Json& clip : elements(scene.at(ours), "clips"))
                addSource(clip, textNameOf(clip), sources);
    return sources;
}

std::optional<std::string> withoutNumber(const std::string& clip) {
    constexpr std::size_t kNumber = 4;  // length of `.001`
    if (clip.size() <= kNumber || clip[clip.size() - kNumber] != '.' ||
        clip.find_last_not_of("0123456789") != clip.size() - kNumber)
        return std::nullopt;
    return clip.substr(0, clip.size() - kNumber);
}

const ClipSource* sourceOf(const std::string& clip, const std::map<std::string, ClipSource>& sources) {
    auto source = sources.find(clip);
    if (const auto name = source == sources.end() ? withoutNumber(clip) : std::nullopt)
        source = sources.find(*name);
    return source == sources.end() ? nullptr : &source->second;
}

}  // namespace reanima::tool
