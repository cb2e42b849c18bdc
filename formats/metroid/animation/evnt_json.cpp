#include "formats/metroid/animation/evnt_json.h"

#include "formats/metroid/animation/evnt_fields.h"
#include "formats/metroid/fields_json.h"

namespace reanima::metroid {

namespace {

Json eventToJson(const Event& event) {
    Json json = {
        {"time", nullptr}, {"name", nullptr}, {"type", typeName(event)}};  // first, because readers look for them
    const FieldsToJson write{json};
    describe(write, event);
    std::visit([&write](const auto& content) { describe(write, content); }, event.content);
    return json;
}

template <typename Content>
Content contentFromJson(const JsonReader& json) {
    Content content;
    const FieldsFromJson read{json};
    describe(read, content);
    return content;
}

Event eventFromJson(const JsonReader& json) {
    Event event;
    const FieldsFromJson read{json};
    describe(read, event);
    const std::string_view type = json.at("type").text();
    if (type == "bool")
        event.content = contentFromJson<BoolEvent>(json);
    else if (type == "int")
        event.content = contentFromJson<IntEvent>(json);
    else if (type == "particle")
        event.content = contentFromJson<ParticleEvent>(json);
    else if (type == "sound")
        event.content = contentFromJson<SoundEvent>(json);
    else
        json.at("type").fail("\"bool\", \"int\", \"particle\" or \"sound\"");
    return event;
}

}  // namespace

Json toJson(const Evnt& evnt, const core::Diagnostics& diagnostics) {
    Json events = Json::array();
    for (const Event& event : evnt.events)
        events.push_back(eventToJson(event));
    return {{"schema", 1},
            {"format", "metroid-evnt"},
            {"version", evnt.version},
            {"events", std::move(events)},
            {"content_size", encodeEvnt(evnt).size() - evnt.padding.size()},
            {"padding", toHex(evnt.padding)},
            {"warnings", warningsToJson(diagnostics)}};
}

Evnt evntFromJson(const JsonReader& json, core::Diagnostics& diagnostics) {
    Evnt evnt;
    evnt.version = json.has("version") ? static_cast<std::uint32_t>(json.at("version").integer(1, 2)) : evnt.version;
    const JsonReader events = json.at("events");
    for (std::size_t i = 0; i < events.size(); ++i) {
        evnt.events.push_back(eventFromJson(events.at(i)));
        if (evnt.version == 1 && std::holds_alternative<SoundEvent>(evnt.events.back().content))
            events.at(i).at("type").fail("\"bool\", \"int\" or \"particle\", because version 1 has no sounds");
    }
    DerivedMembers derived;
    evnt.padding = paddingFromJson(json, encodeEvnt(evnt).size(), derived, diagnostics);
    derived.report(diagnostics);
    return evnt;
}

}  // namespace reanima::metroid
