#include "gltf_export/clip_extras.h"

#include <cmath>

namespace reanima::gltf {

namespace {

core::Value valueOf(const Field& field) {
    if (field.isText())
        return std::string(field.text());
    if (field.isFlag())
        return field.flag();
    const double number = field.number();
    constexpr double kLargestWhole = 9007199254740992;
    if (number == std::floor(number) && std::abs(number) <= kLargestWhole)
        return static_cast<std::int64_t>(number);
    return number;
}

core::EventMarker eventOf(const Field& field) {
    core::EventMarker event{field.at("time").number(), std::string(field.at("name").text()), {}};
    for (const std::string& key : field.keys())
        if (key != "time" && key != "name" && !field.at(key).isList())
            event.properties.emplace_back(key, valueOf(field.at(key)));
    return event;
}

core::NamedBy namedByOf(std::string_view word) {
    for (const core::NamedBy named : {core::NamedBy::game, core::NamedBy::table})
        if (word == core::nameOf(named))
            return named;
    return core::NamedBy::file;
}

bool hasText(const Field& field, std::string_view key) { return field.has(key) && field.at(key).isText(); }

/// @throws core::DecodeError for extras in any other form
core::StatedClip statedBy(const Field& extras) {
    core::StatedClip stated;
    stated.rate = extras.at("rate").number();
    stated.frames = extras.at("frames").integer<std::uint32_t>();
    stated.id = extras.at("id").integer<std::uint32_t>();
    stated.fullName = extras.textOrNone("full_name");
    stated.namedBy = namedByOf(extras.at("named_by").text());
    if (extras.has("loop"))
        stated.loop = extras.at("loop").flag();
    if (hasText(extras, "root_motion"))
        stated.rootMotion = extras.at("root_motion").text();
    for (const Field& event : extras.list("events"))
        stated.events.push_back(eventOf(event));
    return stated;
}

/// @param clip the extras that `convert` writes for a clip
/// @param named has the clip's name
void addSource(const Field& clip, const Field& named, std::map<std::string, core::ClipSource>& sources) {
    if (!hasText(clip, "source") || named.textOrNone("name").empty())
        return;
    core::ClipSource source{std::string(clip.at("source").text()), {}, {}};
    source.isNamed = clip.textOrNone("name") == named.textOrNone("name");
    try {
        if (clip.has("index"))
            source.index = clip.at("index").integer<std::uint32_t>();
        if (clip.has("rate"))
            source.rate = clip.at("rate").number();
    } catch (const core::DecodeError&) {  // NOLINT: another program changed the extras
    }
    sources.emplace(named.textOrNone("name"), std::move(source));
}

std::vector<Field> elements(const Field& field, std::string_view key) {
    return field.has(key) && field.at(key).isList() ? field.list(key) : std::vector<Field>();
}

}  // namespace

std::map<std::string, core::ClipSource> clipSourcesOf(const Field& root) {
    std::map<std::string, core::ClipSource> sources;
    for (const Field& animation : elements(root, "animations"))
        if (animation.has("extras"))
            addSource(animation.at("extras"), animation, sources);
    for (const Field& scene : elements(root, "scenes"))
        if (scene.has("extras") && scene.at("extras").has("reanima"))
            for (const Field& clip : elements(scene.at("extras").at("reanima"), "clips"))
                addSource(clip, clip, sources);
    return sources;
}

std::optional<core::StatedClip> statedClipOf(const Field& animation, double seconds) {
    try {
        const std::optional<Field> extras = animation.find("extras");
        if (!extras || !extras->contains("named_by"))
            return std::nullopt;
        core::StatedClip stated = statedBy(*extras);
        constexpr double kSameLength = 1e-3;
        const bool fits =
            stated.rate > 0 && stated.frames > 0 && std::abs((stated.frames - 1) / stated.rate - seconds) < kSameLength;
        return fits ? std::optional(std::move(stated)) : std::nullopt;
    } catch (const core::DecodeError&) {  // the extras are from another program
        return std::nullopt;
    }
}

}  // namespace reanima::gltf
