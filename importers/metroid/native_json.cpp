#include "importers/metroid/native_json.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text.h"
#include "importers/metroid/reading.h"
#include "importers/naming.h"

namespace reanima::metroid {

namespace {

/// A text as stored; one that is no UTF-8 as {"hex": ...}.
Json textToJson(const std::string& text) {
    if (core::validUtf8(text) == text)
        return text;
    return {{"hex", toHex(core::ByteVector(text.begin(), text.end()))}};
}

std::string textFromJson(const JsonReader& json) {
    std::string text;
    if (json.isText()) {
        text = json.text();
    } else {
        const core::ByteVector bytes = json.at("hex").hex();
        text.assign(bytes.begin(), bytes.end());
    }
    if (text.find('\0') != std::string::npos)
        json.fail("a text without zero bytes");
    return text;
}

float floatFromJson(const JsonReader& json) {
    const float value = json.single();
    if (!(std::abs(value) <= kLargestNumber))
        json.fail("a number of at most 1e18");
    return value;
}

template <std::size_t size>
Json floatsToJson(const std::array<float, size>& values) {
    Json list = Json::array();
    for (const float value : values)
        list.push_back(static_cast<double>(value));
    return list;
}

template <std::size_t size>
std::array<float, size> floatsFromJson(const JsonReader& json) {
    std::array<float, size> values{};
    for (std::size_t i = 0; i < size; ++i)
        values[i] = floatFromJson(json.at(i));
    return values;
}

std::vector<std::uint32_t> idsFromJson(const JsonReader& json) {
    std::vector<std::uint32_t> ids;
    for (std::size_t i = 0; i < json.size(); ++i)
        ids.push_back(json.at(i).integer<std::uint32_t>());
    return ids;
}

}  // namespace

// ---------------------------------------------------------------------------------------------------------------------
// Skeletons

namespace {

/// The name that a joint shows: that of the first entry for its id.
using ShownNames = std::unordered_map<std::uint32_t, std::size_t>;  // id -> index of the entry

Json jointToJson(const Cinf& cinf, std::size_t index, const ShownNames& shown, const ShownNames& bones) {
    const CinfBone& bone = cinf.bones[index];
    const auto name = shown.find(bone.id);
    const auto parent = bones.find(bone.parentId);
    Json json = {{"index", index},
                 {"id", bone.id},
                 {"name", name != shown.end() ? textToJson(cinf.names[name->second].name) : Json(boneName(bone.id))},
                 {"parent", parent != bones.end() ? Json(parent->second) : Json(nullptr)},
                 {"parent_id", bone.parentId},
                 {"position", floatsToJson(bone.position)}};
    if (cinf.game == Game::echoes)
        json["rotations"] = {floatsToJson(bone.rotations[0]), floatsToJson(bone.rotations[1])};
    json["links"] = bone.links;
    return json;
}

/// The names in the order of the file. An entry whose text stands at a joint has only the id, so that a name is edited
/// in one place.
Json namesToJson(const Cinf& cinf, const ShownNames& shown, const ShownNames& bones) {
    Json names = Json::array();
    for (std::size_t i = 0; i < cinf.names.size(); ++i) {
        const CinfName& name = cinf.names[i];
        Json entry = {{"id", name.id}};
        if (shown.at(name.id) != i || !bones.contains(name.id))
            entry["name"] = textToJson(name.name);
        names.push_back(std::move(entry));
    }
    return names;
}

CinfBone boneFromJson(const JsonReader& joint, Game game) {
    CinfBone bone;
    bone.id = joint.at("id").integer<std::uint32_t>();
    bone.position = floatsFromJson<3>(joint.at("position"));
    if (game == Game::echoes)
        for (std::size_t i = 0; i < bone.rotations.size(); ++i)
            bone.rotations[i] = floatsFromJson<4>(joint.at("rotations").at(i));
    return bone;
}

/// A parent by index wins over an id that belongs to another bone.
void readParent(const JsonReader& joint, Cinf& cinf, CinfBone& bone) {
    constexpr std::uint32_t kNoBone = 2;  // of the null above the root, in Prime
    bone.parentId = joint.has("parent_id") ? joint.at("parent_id").integer<std::uint32_t>() : kNoBone;
    if (!joint.has("parent"))
        return;
    const auto last = static_cast<std::int64_t>(cinf.bones.size()) - 1;
    bone.parentId = cinf.bones[static_cast<std::size_t>(joint.at("parent").integer(0, last))].id;
}

/// The names of the joints, in the order of the list of names and then in that of the joints.
std::vector<CinfName> namesFromJson(const JsonReader& json, const Cinf& cinf) {
    const JsonReader joints = json.at("joints");
    std::unordered_map<std::uint32_t, std::string> unlisted;
    for (std::size_t i = 0; i < cinf.bones.size(); ++i)
        unlisted.try_emplace(cinf.bones[i].id, textFromJson(joints.at(i).at("name")));
    std::vector<CinfName> names;
    if (json.has("names")) {
        const JsonReader list = json.at("names");
        for (std::size_t i = 0; i < list.size(); ++i) {
            const auto id = list.at(i).at("id").integer<std::uint32_t>();
            const auto joint = unlisted.find(id);
            if (list.at(i).has("name") || joint == unlisted.end()) {
                names.push_back({textFromJson(list.at(i).at("name")), id});
            } else {
                names.push_back({joint->second, id});
                unlisted.erase(joint);
            }
        }
    }
    for (const CinfBone& bone : cinf.bones) {
        const auto joint = unlisted.find(bone.id);
        if (joint == unlisted.end())
            continue;
        if (joint->second != boneName(bone.id))  // what a joint without a name shows
            names.push_back({joint->second, bone.id});
        unlisted.erase(joint);
    }
    return names;
}

std::vector<std::uint32_t> idsOf(const Cinf& cinf) {
    std::vector<std::uint32_t> ids;
    ids.reserve(cinf.bones.size());
    for (const CinfBone& bone : cinf.bones)
        ids.push_back(bone.id);
    return ids;
}

/// True if joints were added, taken away, exchanged, or given another parent.
bool isRebuilt(const JsonReader& json, const Cinf& cinf) {
    const JsonReader joints = json.at("joints");
    if (json.has("joints_present") && idsFromJson(json.at("joints_present")) != idsOf(cinf))
        return true;
    for (std::size_t i = 0; i < cinf.bones.size(); ++i)
        if (joints.at(i).has("parent_id") &&
            joints.at(i).at("parent_id").integer<std::uint32_t>() != cinf.bones[i].parentId)
            return true;
    return false;
}

/// Parent and children, for joints without links of their own or for all of them.
void linkAnew(const JsonReader& joints, bool all, Cinf& cinf) {
    for (std::size_t i = 0; i < cinf.bones.size(); ++i) {
        CinfBone& bone = cinf.bones[i];
        if (!all && joints.at(i).has("links")) {
            bone.links = idsFromJson(joints.at(i).at("links"));
            continue;
        }
        bone.links = {bone.parentId};
        for (const CinfBone& other : cinf.bones)
            if (other.parentId == bone.id)
                bone.links.push_back(other.id);
    }
}

}  // namespace

Json toJson(const Cinf& cinf, const core::Diagnostics& diagnostics) {
    ShownNames bones;
    for (std::size_t i = 0; i < cinf.bones.size(); ++i)
        bones.try_emplace(cinf.bones[i].id, i);
    ShownNames shown;
    for (std::size_t i = 0; i < cinf.names.size(); ++i)
        shown.try_emplace(cinf.names[i].id, i);
    Json joints = Json::array();
    for (std::size_t i = 0; i < cinf.bones.size(); ++i)
        joints.push_back(jointToJson(cinf, i, shown, bones));
    return {{"schema", 1},
            {"format", "metroid-cinf"},
            {"game", gameName(cinf.game)},
            {"joints", std::move(joints)},
            {"joints_present", idsOf(cinf)},
            {"build_order", cinf.buildOrder},
            {"names", namesToJson(cinf, shown, bones)},
            {"content_size", encodeCinf(cinf).size() - cinf.padding.size()},
            {"padding", toHex(cinf.padding)},
            {"warnings", warningsToJson(diagnostics)}};
}

Cinf cinfFromJson(const JsonReader& json, core::Diagnostics& diagnostics) {
    Cinf cinf;
    const std::optional<Game> game = gameNamed(json.at("game").text());
    if (!game)
        json.at("game").fail("\"mp1\" or \"mp2\"");
    cinf.game = *game;
    const JsonReader joints = json.at("joints");
    for (std::size_t i = 0; i < joints.size(); ++i)
        cinf.bones.push_back(boneFromJson(joints.at(i), cinf.game));
    for (std::size_t i = 0; i < joints.size(); ++i)
        readParent(joints.at(i), cinf, cinf.bones[i]);
    const bool rebuilt = isRebuilt(json, cinf);
    linkAnew(joints, rebuilt, cinf);
    if (rebuilt)
        diagnostics.warn(core::Code::recomputed, joints.place(),
                         "are others, or have other parents: links and build_order are written anew");
    if (json.has("build_order") && !rebuilt) {
        cinf.buildOrder = idsFromJson(json.at("build_order"));
    } else {
        for (const std::size_t bone : parentsFirst(cinf))
            cinf.buildOrder.push_back(cinf.bones[bone].id);
    }
    cinf.names = namesFromJson(json, cinf);
    cinf.padding = paddingFromJson(json, encodeCinf(cinf).size(), diagnostics);
    return cinf;
}

// ---------------------------------------------------------------------------------------------------------------------
// Events

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
            floatFromJson(json.at("scale")),
            json.at("parent_mode").integer<std::uint32_t>()};
}

SoundEvent soundFromJson(const JsonReader& json) {
    return {json.at("sound").integer<std::uint32_t>(), floatFromJson(json.at("falloff")),
            floatFromJson(json.at("max_distance"))};
}

Event eventFromJson(const JsonReader& json) {
    Event event;
    const auto wordOr = [&json]<typename T>(const char* name, T otherwise) {
        return json.has(name) ? json.at(name).integer<T>() : otherwise;
    };
    event.unknown00 = wordOr("unknown_00", event.unknown00);
    event.name = textFromJson(json.at("name"));
    event.kind = wordOr("kind", event.kind);
    event.time = floatFromJson(json.at("time"));
    event.timeKind = wordOr("time_kind", event.timeKind);
    event.index = wordOr("index", event.index);
    event.unique = wordOr("unique", event.unique);
    event.weight = json.has("weight") ? floatFromJson(json.at("weight")) : event.weight;
    event.character = wordOr("character", event.character);
    event.flags = wordOr("flags", event.flags);
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
    evnt.padding = paddingFromJson(json, encodeEvnt(evnt).size(), diagnostics);
    return evnt;
}

// ---------------------------------------------------------------------------------------------------------------------

core::ByteVector paddingFromJson(const JsonReader& json, std::size_t contentSize, core::Diagnostics& diagnostics) {
    core::ByteVector padding = json.has("padding") ? json.at("padding").hex() : core::ByteVector{};
    const bool asLongAsBefore =
        json.has("content_size") &&
        static_cast<std::uint64_t>(json.at("content_size").integer(0, std::numeric_limits<std::int64_t>::max())) ==
            contentSize;
    const std::size_t needed = (kPakAlignment - contentSize % kPakAlignment) % kPakAlignment;
    if (padding.empty() || asLongAsBefore || padding.size() == needed || !isPadding(padding, kPakAlignment))
        return padding;
    diagnostics.warn(core::Code::recomputed, {"padding", std::nullopt},
                     fmt::format("has {} bytes, to a multiple of {} it takes {}, which are written", padding.size(),
                                 kPakAlignment, needed));
    padding.assign(needed, 0xFF);
    return padding;
}

}  // namespace reanima::metroid
