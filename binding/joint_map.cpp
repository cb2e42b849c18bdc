#include "binding/joint_map.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "json/csv.h"
#include "json/json.h"

namespace reanima {

namespace {

using core::DecodeError;

glm::quat quaternionFrom(const JsonReader& json) {
    if (json.size() != 4)
        json.fail("four numbers x, y, z, w");
    const glm::dquat q(json.at(3).number(), json.at(0).number(), json.at(1).number(), json.at(2).number());
    const double length = glm::length(q);
    if (!(length > 1e-6) || !std::isfinite(length))
        json.fail("a rotation");
    return glm::quat(glm::normalize(q));
}

template <typename Value>
Value choiceFrom(const JsonReader& json, std::optional<Value> (*named)(std::string_view), std::string_view expected) {
    const std::optional<Value> value = named(json.text());
    if (!value)
        json.fail(expected);
    return *value;
}

double shareFrom(const JsonReader& json) {
    const double share = json.number();
    if (!(share >= 0 && share <= 1))
        json.fail("a number from 0 to 1");
    return share;
}

JointMap::Line lineFrom(const JsonReader& json) {
    JointMap::Line line;
    for (const std::string& key : json.keys()) {
        const JsonReader value = json.at(key);
        if (key == "source")
            line.source = value.text();
        else if (key == "target")
            line.target = value.text();
        else if (key == "rotate_offset")
            line.rotateOffset = quaternionFrom(value);
        else if (key == "translate")
            line.translate = value.flag();
        else if (key == "mixed_from")
            line.mixedFrom = value.text();
        else if (key == "share")
            line.share = shareFrom(value);
        else if (key == "carrier")
            line.carrier = value.text();
        else if (key != "confidence" && key != "reason" && key != "comment")
            throw DecodeError(value.place(),
                              "is no part of a line; expected source, target, rotate_offset, translate, mixed_from, "
                              "share or carrier");
    }
    (void)json.at("source");
    (void)json.at("target");
    return line;
}

std::vector<std::string> namesFrom(const JsonReader& json) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < json.size(); ++i)
        names.push_back(json.at(i).text());
    return names;
}

void readRoot(const JsonReader& json, JointMap& map) {
    for (const std::string& key : json.keys()) {
        const JsonReader value = json.at(key);
        if (key == "mode")
            map.rootMotion = choiceFrom(value, core::rootMotionNamed, "keep, in-place, drop or extract");
        else if (key == "joint")
            (void)value.text();  // for people: the parents tell which joint is the root
        else
            throw DecodeError(value.place(), "is no part of a root; expected mode or joint");
    }
}

JointMap fromJson(const JsonReader& json) {
    JointMap map;
    if (json.at("schema").integer(0, 1000) != 1)
        json.at("schema").fail("1");
    for (const std::string& key : json.keys()) {
        const JsonReader value = json.at(key);
        if (key == "mode") {
            map.mode = choiceFrom(value, core::bindModeNamed, "copy, world or local");
        } else if (key == "source_rest") {
            map.sourceRest = value.text();
        } else if (key == "scale") {
            map.scale = value.number();
            if (!(*map.scale >= 1e-9 && *map.scale <= 1e9))
                value.fail("a number from 1e-9 to 1e9");
        } else if (key == "root") {
            readRoot(value, map);
        } else if (key == "joints") {
            for (std::size_t i = 0; i < value.size(); ++i)
                map.joints.push_back(lineFrom(value.at(i)));
        } else if (key == "attach") {
            for (std::size_t i = 0; i < value.size(); ++i)
                map.attach.push_back({value.at(i).at("source").text(), value.at(i).at("joint").text()});
        } else if (key == "ignore") {
            map.ignore = namesFrom(value);
        } else if (key == "by_name") {
            map.byName = value.flag();
        } else if (key == "roles") {
            for (const std::string& joint : value.keys())
                map.roles[joint] = value.at(joint).text();
        } else if (key != "schema" && key != "comment") {
            throw DecodeError(
                value.place(),
                "is no part of a mapping; expected schema, mode, source_rest, scale, root, joints, attach, "
                "ignore, by_name or roles");
        }
    }
    return map;
}

JointMap fromLines(std::string_view text) {
    JointMap map;
    for (const CsvLine& line : csvLines(text)) {
        const std::vector<std::string>& fields = line.fields;
        if (fields.size() != 2 || fields[0].empty() || fields[1].empty())
            throw DecodeError({fmt::format("line {}", line.number), std::nullopt},
                              fmt::format("is \"{}\", expected source,target", line.text));
        if (fields[0] != "source" || fields[1] != "target")  // a heading
            map.joints.push_back({fields[0], fields[1], {}, {}});
    }
    return map;
}

}  // namespace

JointMap parseJointMap(core::Bytes text) {
    const std::string_view plain(reinterpret_cast<const char*>(text.data()), text.size());  // NOLINT
    const std::size_t first = plain.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (first != std::string_view::npos && plain[first] == '{') {
        const Json json = parseJson(text);
        return fromJson(JsonReader(json));
    }
    return fromLines(plain);
}

void mergeInto(JointMap& map, JointMap other) {
    if (other.mode)
        map.mode = other.mode;
    if (!other.sourceRest.empty())
        map.sourceRest = std::move(other.sourceRest);
    if (other.rootMotion)
        map.rootMotion = other.rootMotion;
    if (other.scale)
        map.scale = other.scale;
    // What contradicts itself within one mapping stays: binding refuses it.
    std::erase_if(map.joints, [&](const JointMap::Line& known) {
        return std::ranges::any_of(other.joints, [&](const auto& line) { return line.target == known.target; });
    });
    std::ranges::move(other.joints, std::back_inserter(map.joints));
    std::erase_if(map.attach, [&](const JointMap::Carried& known) {
        return std::ranges::any_of(other.attach, [&](const auto& carried) { return carried.source == known.source; });
    });
    std::ranges::move(other.attach, std::back_inserter(map.attach));
    map.byName = map.byName && other.byName;
    map.ignore.insert(map.ignore.end(), other.ignore.begin(), other.ignore.end());
    for (auto& [joint, role] : other.roles)
        map.roles[joint] = std::move(role);
}

}  // namespace reanima
