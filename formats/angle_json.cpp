#include "formats/angle_json.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace reanima {

AngleTriple angleTripleFromJson(const JsonReader& json) {
    json.requireSize(3);
    AngleTriple triple;
    for (std::size_t axis = 0; axis < 3; ++axis)
        triple[axis] = static_cast<core::Angle>(json.at(axis).integer(0, core::kFullTurn - 1));
    return triple;
}

Position positionFromJson(const JsonReader& json) {
    json.requireSize(3);
    Position position;
    for (std::size_t axis = 0; axis < 3; ++axis)
        position[axis] = json.at(axis).integer<std::int16_t>();
    return position;
}

void requireAsInFirst(const JsonReader& json, std::size_t first, std::string_view what) {
    if (json.size() != first || first == 0)
        throw core::DecodeError(json.place(), fmt::format("has {} {}, expected {} as in frame 0", json.size(), what,
                                                          std::max<std::size_t>(first, 1)));
}

void requireMemoryForJson(std::uint64_t triples, const core::Limits& limits, const core::Place& place) {
    constexpr std::uint64_t kBytesPerTriple = 240;  // measured for a list of three, in nlohmann's JSON and as text
    core::requireMemory(triples * kBytesPerTriple, limits, place);
}

Json toJson(const AngleFrames& frames) {
    Json list = Json::array();
    const std::size_t triples = frames.triples();
    for (std::size_t frame = 0; frame < frames.count(); ++frame) {
        const auto first = frames.rotations.begin() + static_cast<std::ptrdiff_t>(frame * triples);
        Json rotations = Json::array();
        std::for_each(first, first + static_cast<std::ptrdiff_t>(triples),
                      [&](const AngleTriple& triple) { rotations.push_back(triple); });
        list.push_back({{"translation", frames.translations[frame]}, {"rotations", std::move(rotations)}});
    }
    return list;
}

void framesFromJson(const JsonReader& json, AngleFrames& frames) {
    std::size_t triples = 0;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const JsonReader frame = json.at(i);
        frames.translations.push_back(positionFromJson(frame.at("translation")));
        const JsonReader rotations = frame.at("rotations");
        if (i == 0)
            triples = rotations.size();
        // Every triple is checked before counting, since a wrong value is the more specific error.
        for (std::size_t triple = 0; triple < rotations.size(); ++triple)
            frames.rotations.push_back(angleTripleFromJson(rotations.at(triple)));
        requireAsInFirst(rotations, triples, "triples");
    }
}

}  // namespace reanima
