#include "formats/metroid/animation/evnt.h"

#include <algorithm>
#include <array>

#include "core/decode_watch.h"
#include "core/text.h"
#include "formats/metroid/animation/evnt_fields.h"
#include "formats/metroid/fields.h"

namespace reanima::metroid {

using core::DecodeError;

namespace {

/// In the order of the variant, which is also the order in the file.
constexpr std::array<std::string_view, 4> kTypeNames = {"bool", "int", "particle", "sound"};
constexpr std::array<std::string_view, 4> kListNames = {"bool_events", "int_events", "particle_events", "sound_events"};
constexpr std::array<std::string_view, 4> kCountNames = {"bool_event_count", "int_event_count", "particle_event_count",
                                                         "sound_event_count"};

std::size_t typesIn(std::uint32_t version) { return version == 1 ? 3 : 4; }

std::size_t smallestEvent() {
    fields::LeastSize size;
    const Event event;
    describe(size, event);
    return size.bytes();
}

void writeEvent(Writer& out, const Event& event) {
    const WriteFields write{out};
    describe(write, event);
    std::visit([&write](const auto& content) { describe(write, content); }, event.content);
}

template <std::size_t type = 0>
void readEvents(Reader& file, Evnt& evnt) {
    if constexpr (type < kTypeNames.size()) {
        if (type >= typesIn(evnt.version))
            return;
        const std::uint32_t count = readCount(file, kCountNames[type], smallestEvent());
        for (std::uint32_t i = 0; i < count; ++i) {
            const auto scope = file.enter(kListNames[type], i);
            const ReadFields read{file};
            Event& event = evnt.events.emplace_back();
            describe(read, event);
            describe(read, event.content.emplace<type>());
        }
        readEvents<type + 1>(file, evnt);
    }
}

struct EvntReading {
    Evnt evnt;
    bool fits = false;  ///< the layout fits to the last byte
};

EvntReading readEvnt(core::Bytes bytes) {
    Reader file(bytes);
    EvntReading reading;
    const Field<std::uint32_t> version = readField<std::uint32_t>(file, "version");
    if (version.value != 1 && version.value != 2)
        throw DecodeError(version.place, fmt::format("is {}, expected 1 or 2", version.value));
    reading.evnt.version = version.value;
    readEvents(file, reading.evnt);
    reading.evnt.padding = core::copyOf(file.rest());
    reading.fits = isPadding(reading.evnt.padding, bytes.size());
    return reading;
}

struct ToProperties {
    core::Properties operator()(const BoolEvent& event) const { return {{"value", event.value != 0}}; }
    core::Properties operator()(const IntEvent& event) const {
        return {{"value", event.value}, {"locator", core::validUtf8(event.locator)}};
    }
    core::Properties operator()(const ParticleEvent& event) const {
        return {{"duration", event.duration},
                {"effect", fmt::format("{:08x}", event.effect)},
                {"locator", core::validUtf8(event.locator)},
                {"scale", static_cast<double>(event.scale)},
                {"parent_mode", event.parentMode}};
    }
    core::Properties operator()(const SoundEvent& event) const {
        return {{"sound", event.sound},
                {"falloff", static_cast<double>(event.falloff)},
                {"max_distance", static_cast<double>(event.maxDistance)}};
    }
};

core::EventMarker toMarker(const Event& event, double speed) {
    core::EventMarker marker;
    marker.time = static_cast<double>(event.time) / speed;
    marker.name = core::validUtf8(event.name);
    marker.properties = {{"type", std::string(typeName(event))},
                         {"kind", std::uint32_t{event.kind}},
                         {"index", event.index},
                         {"unique", event.unique != 0},
                         {"weight", static_cast<double>(event.weight)},
                         {"character", std::int64_t{event.character}},
                         {"flags", event.flags}};
    core::Properties more = std::visit(ToProperties{}, event.content);
    marker.properties.insert(marker.properties.end(), more.begin(), more.end());
    return marker;
}

}  // namespace

std::string_view typeName(const Event& event) { return kTypeNames[event.content.index()]; }

Evnt decodeEvnt(core::Bytes bytes, core::Diagnostics& diagnostics) {
    core::tellDecoding("metroid events", bytes);
    EvntReading reading = readEvnt(bytes);
    if (!reading.fits)
        diagnostics.warn(core::Code::trailingBytes, {"padding", bytes.size() - reading.evnt.padding.size()},
                         fmt::format("{} bytes follow the content", reading.evnt.padding.size()));
    return std::move(reading.evnt);
}

core::ByteVector encodeEvnt(const Evnt& evnt) {
    Writer out;
    out.write(evnt.version);
    for (std::size_t type = 0; type < typesIn(evnt.version); ++type) {
        const auto isOfType = [type](const Event& event) { return event.content.index() == type; };
        out.write(static_cast<std::uint32_t>(std::count_if(evnt.events.begin(), evnt.events.end(), isOfType)));
        for (const Event& event : evnt.events)
            if (isOfType(event))
                writeEvent(out, event);
    }
    out.write(core::Bytes(evnt.padding));
    return out.take();
}

std::vector<core::EventMarker> toMarkers(const Evnt& evnt, double speed) {
    std::vector<core::EventMarker> markers;
    for (const Event& event : evnt.events)
        markers.push_back(toMarker(event, speed));
    std::stable_sort(markers.begin(), markers.end(),
                     [](const core::EventMarker& a, const core::EventMarker& b) { return a.time < b.time; });
    return markers;
}

bool isEvnt(core::Bytes file) {
    try {
        return readEvnt(file).fits;
    } catch (const DecodeError&) {
        return false;
    }
}

}  // namespace reanima::metroid
