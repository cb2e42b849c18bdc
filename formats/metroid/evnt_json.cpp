#include "formats/metroid/evnt_json.h"

#include <nlohmann/json.hpp>

#include "formats/metroid/json_fields.h"

namespace reanima::metroid {

namespace {

void contentToJson(Json& json, const BoolEvent& event) { json["value"] = event.value; }

void contentToJson(Json& json, const IntEvent& event) {
    json["value"] = event.value;
    json["locator"] = textToJson(event.locator);
}

void contentToJson(Json& json, const ParticleEvent& event) {
    json["duration"] = event.duration;
    json["effect_type"] = event.effectType;
    json["effect"] = event.effect;
    json["locator"] = textToJson(event.locator);
    json["scale"] = static_cast<double>(event.scale);
    json["parent_mode"] = event.parentMode;
}

void contentToJson(Json& json, const SoundEvent& event) {
    json["sound"] = event.sound;
    json["falloff"] = static_cast<double>(event.falloff);
    json["max_distance"] = static_cast<double>(event.maxDistance);
}

Json eventToJson(const Event& event) {
    Json json = {{"time", static_cast<double>(event.time)},
                 {"name", textToJson(event.name)},
                 {"type", typeName(event)},
                 {"unknown_00", event.unknown00},
                 {"kind", event.kind},
                 {"time_kind", event.timeKind},
                 {"index", event.index},
                 {"unique", event.unique},
                 {"weight", static_cast<double>(event.weight)},
                 {"character", event.character},
                 {"flags", event.flags}};
    std::visit([&json](const auto& content) { contentToJson(json, content); }, event.content);
    return json;
}

BoolEvent boolFromJson(const JsonReader& json) { return {json.at("value").integer<std::uint8_t>()}; }

IntEvent intFromJson(const JsonReader& json) {
    return {json.at("value").integer<std::uint32_t>(), textFromJson(json.at("locator"))};
}

ParticleEvent particleFromJson(const JsonReader& json) {
    return {json.at("duration").integer<std::uint32_t>(),
            json.at("effect_type").integer<std::uint32_t>(),
            json.at("effect").integer<std::uint32_t>(),
            textFromJson(json.at("locator")),
            numberFromJson(json.at("scale")),
            json.at("parent_mode").integer<std::uint32_t>()};
}

SoundEvent soundFromJson(const JsonReader& json) {
    return {json.at("sound").integer<std::uint32_t>(), numberFromJson(json.at("falloff")),
            numberFromJson(json.at("max_distance"))};
}

Event eventFromJson(const JsonReader& json) {
    Event event;
    event.unknown00 = json.integerOr("unknown_00", event.unknown00);
    event.name = textFromJson(json.at("name"));
    event.kind = json.integerOr("kind", event.kind);
    event.time = numberFromJson(json.at("time"));
    event.timeKind = json.integerOr("time_kind", event.timeKind);
    event.index = json.integerOr("index", event.index);
    event.unique = json.integerOr("unique", event.unique);
    event.weight = json.has("weight") ? numberFromJson(json.at("weight")) : event.weight;
    event.character = json.integerOr("character", event.character);
    event.flags = json.integerOr("flags", event.flags);
    const std::string& type = json.at("type").text();
    if (type == "bool")
        event.content = boolFromJson(json);
    else if (type == "int")
        event.content = intFromJson(json);
    else if (type == "particle")
        event.content = particleFromJson(json);
    else if (type == "sound")
        event.content = soundFromJson(json);
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
            events.at(i).at("type").fail("\"bool\", \"int\" or \"particle\": version 1 has no sounds");
    }
    DerivedMembers derived;
    evnt.padding = paddingFromJson(json, encodeEvnt(evnt).size(), derived, diagnostics);
    derived.report(diagnostics);
    return evnt;
}

}  // namespace reanima::metroid
