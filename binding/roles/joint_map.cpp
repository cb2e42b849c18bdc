#include "binding/roles/joint_map.h"

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

double degreesFrom(const JsonReader& json) {
    const double degrees = json.number();
    if (!(degrees >= -360 && degrees <= 360))
        json.fail("degrees from -360 to 360");
    return degrees;
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
        else if (key == "roll")
            line.roll = degreesFrom(value);
        else if (key == "role" || key == "reason" || key == "comment")  // for people
            (void)value.text();
        else if (key == "confidence")
            (void)value.number();
        else
            throw DecodeError(
                value.place(),
                "is not a member of a line; expected source, target, rotate_offset, translate, mixed_from, "
                "share, carrier or roll");
    }
    (void)json.at("source");
    (void)json.at("target");
    return line;
}

std::vector<std::string> namesFrom(const JsonReader& json) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < json.size(); ++i)
        names.emplace_back(json.at(i).text());
    return names;
}

void readRoot(const JsonReader& json, JointMap& map) {
    for (const std::string& key : json.keys()) {
        const JsonReader value = json.at(key);
        if (key == "mode")
            map.rootMotion = choiceFrom(value, core::rootMotionNamed, "keep, in-place, drop or extract");
        else if (key == "joint")
            (void)value.text();  // for people: the parents show which joint is the root
        else
            throw DecodeError(value.place(), "is not a member of a root; expected mode or joint");
    }
}

JointMap fromJson(const JsonReader& json) {
    JointMap map;
    if (json.at("schema").integer(0, 1000) != 1)
        json.at("schema").fail("1");
    for (const std::string& key : json.keys()) {
        const JsonReader value = json.at(key);
        if (key == "mode") {
            map.mode = choiceFrom(value, motion::bindModeNamed, "copy, world or local");
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
                if (JointMap::Line line = lineFrom(value.at(i)); !line.source.empty() && !line.target.empty())
                    map.joints.push_back(std::move(line));
        } else if (key == "attach") {
            for (std::size_t i = 0; i < value.size(); ++i)
                map.attach.push_back(
                    {std::string(value.at(i).at("source").text()), std::string(value.at(i).at("joint").text())});
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
                "is not a member of a mapping; expected schema, mode, source_rest, scale, root, joints, attach, "
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
                              fmt::format("is \"{}\", expected the form SOURCE,TARGET", line.text));
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

namespace {

/// The joints of one skeleton by all possible names.
class JointNames {
  public:
    /// @param ownNames per joint; may be empty
    explicit JointNames(const core::Skeleton& skeleton, const std::vector<std::string>& ownNames = {})
        : skeleton_(skeleton) {
        for (std::uint32_t joint = 0; joint < skeleton.joints.size(); ++joint)
            known_.emplace(skeleton.joints[joint].name, joint);
        for (std::uint32_t joint = 0; joint < ownNames.size(); ++joint)
            known_.emplace(ownNames[joint], joint);
        for (std::uint32_t joint = 0; joint < skeleton.joints.size(); ++joint)
            if (skeleton.joints[joint].id)
                known_.emplace(std::to_string(*skeleton.joints[joint].id), joint);
        for (std::uint32_t joint = 0; joint < skeleton.joints.size(); ++joint)
            known_.emplace(std::to_string(joint), joint);
    }

    [[nodiscard]] bool has(const std::string& name) const { return known_.contains(name); }
    /// The current name of a joint; the text itself if it is not a joint.
    [[nodiscard]] std::string nameOf(const std::string& text) const {
        const auto joint = known_.find(text);
        return joint == known_.end() ? text : skeleton_.joints[joint->second].name;
    }

  private:
    const core::Skeleton& skeleton_;
    std::map<std::string, std::uint32_t> known_;  // the first entry of a name is kept
};

}  // namespace

JointMap withCurrentNames(JointMap map, const core::Skeleton& source, const std::vector<std::string>& ownNames,
                          const core::Skeleton& target) {
    const JointNames sources(source, ownNames);
    const JointNames targets(target);
    const auto ofEither = [&](const std::string& text) {
        return target.find(text) || !sources.has(text) ? text : sources.nameOf(text);
    };
    for (JointMap::Line& line : map.joints) {
        line.source = sources.nameOf(line.source);
        line.target = targets.nameOf(line.target);
        line.mixedFrom = sources.nameOf(line.mixedFrom);
        line.carrier = targets.nameOf(line.carrier);
    }
    for (JointMap::Carried& carried : map.attach) {
        carried.source = sources.nameOf(carried.source);
        carried.joint = ofEither(carried.joint);
    }
    for (std::string& name : map.ignore)
        name = ofEither(name);
    decltype(map.roles) roles;
    for (const auto& [joint, role] : map.roles)
        if (const std::string name = ofEither(joint); name == joint || !map.roles.contains(name))
            roles.emplace(name, role);
    map.roles = std::move(roles);
    return map;
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
    // Contradictions within one mapping stay; binding refuses them.
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
