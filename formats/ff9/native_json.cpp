#include "formats/ff9/native_json.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "formats/angle_json.h"
#include "formats/ff9/mesh_json.h"
#include "formats/fields_json.h"
#include "formats/naming.h"

namespace reanima::ff9 {

namespace {

// ---------------------------------------------------------------------------------------------------------------------
// Animations

template <typename T>
Json tripleAt(const Channels<T>& channels, std::size_t first, std::size_t frame) {
    return {channels.at(first, frame), channels.at(first + 1, frame), channels.at(first + 2, frame)};
}

Json toJson(const Record& record) { return {record.words[0], record.words[1], record.words[2], record.mask}; }

Json toJson(const std::vector<Record>& table) {
    Json list = Json::array();
    for (const Record& record : table)
        list.push_back(toJson(record));
    return list;
}

Json toJson(const Layout& layout) {
    Json unused = Json::array();
    for (const Layout::Unused& run : layout.unused)
        unused.push_back({{"offset", run.offset}, {"bytes", toHex(run.bytes)}});
    return {{"size", layout.size},
            {"unknown_00", layout.unknown00},
            {"translation", toJson(layout.translation)},
            {"high_table", layout.highTable},
            {"low_table", layout.lowTable},
            {"high_records", toJson(layout.high)},
            {"low_records", toJson(layout.low)},
            {"unused", std::move(unused)}};
}

Record recordFromJson(const JsonReader& json) {
    json.requireSize(4);
    Record record;
    for (std::size_t axis = 0; axis < 3; ++axis)
        record.words[axis] = json.at(axis).integer<std::uint16_t>();
    record.mask = json.at(3).integer<std::uint16_t>();
    return record;
}

std::vector<Record> tableFromJson(const JsonReader& json) {
    std::vector<Record> table(json.size());
    for (std::size_t bone = 0; bone < table.size(); ++bone)
        table[bone] = recordFromJson(json.at(bone));
    return table;
}

Layout layoutFromJson(const JsonReader& json, const core::Limits& limits) {
    Layout layout;
    layout.size = json.at("size").integer<std::uint32_t>();
    core::requireMemory(layout.size, limits, json.at("size").place());
    layout.unknown00 = json.at("unknown_00").integer<std::uint16_t>();
    layout.translation = recordFromJson(json.at("translation"));
    layout.highTable = json.at("high_table").integer<std::uint32_t>();
    layout.lowTable = json.at("low_table").integer<std::uint32_t>();
    layout.high = tableFromJson(json.at("high_records"));
    layout.low = tableFromJson(json.at("low_records"));
    const JsonReader unused = json.at("unused");
    for (std::size_t i = 0; i < unused.size(); ++i)
        layout.unused.push_back({unused.at(i).at("offset").integer<std::uint32_t>(), unused.at(i).at("bytes").hex()});
    return layout;
}

/// Collects values frame by frame; channels that never change become constants.
template <typename T>
class ChannelCollector {
  public:
    explicit ChannelCollector(std::size_t channels) : channels_(channels) {}

    /// Appends x, y and z to three channels.
    void append(std::size_t first, const std::array<T, 3>& triple) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            channels_[first + axis].push_back(triple[axis]);
    }

    [[nodiscard]] Channels<T> collected() const {
        Channels<T> result;
        for (const std::vector<T>& values : channels_) {
            const bool constant = std::all_of(values.begin(), values.end(), [&](T v) { return v == values.front(); });
            result.add(std::span(values).first(constant ? 1 : values.size()));
        }
        return result;
    }

  private:
    std::vector<std::vector<T>> channels_;
};

Channels<std::int16_t> translationsFromJson(const JsonReader& frames) {
    ChannelCollector<std::int16_t> collector(3);
    for (std::size_t frame = 0; frame < frames.size(); ++frame)
        collector.append(0, positionFromJson(frames.at(frame)));
    return collector.collected();
}

Channels<Angle> anglesFromJson(const JsonReader& frames) {
    const std::size_t boneCount = frames.at(0).size();
    if (boneCount == 0 || boneCount > kMostBones)
        throw core::DecodeError(frames.at(0).place(),
                                fmt::format("has {} bones, expected 1 to {}", boneCount, kMostBones));
    ChannelCollector<Angle> collector(3 * boneCount);
    for (std::size_t frame = 0; frame < frames.size(); ++frame) {
        const JsonReader bones = frames.at(frame);
        requireAsInFirst(bones, boneCount, "bones");
        for (std::size_t bone = 0; bone < boneCount; ++bone)
            collector.append(3 * bone, angleTripleFromJson(bones.at(bone)));
    }
    return collector.collected();
}

bool hasLowBits(const Channels<Angle>& angles) {
    for (std::size_t channel = 0; channel < angles.count(); ++channel)
        if (std::any_of(angles[channel].begin(), angles[channel].end(), [](Angle angle) { return angle % 16 != 0; }))
            return true;
    return false;
}

/// Warns if a count no longer matches its list. The list takes precedence.
/// @return true if the count still matches
bool countFits(const JsonReader& json, const char* key, std::size_t count, const char* what,
               core::Diagnostics& diagnostics) {
    if (!json.has(key) || json.at(key).integer<std::uint32_t>() == count)
        return true;
    diagnostics.warn(core::Code::recomputed, {key, std::nullopt},
                     fmt::format("is {}, but there are {} {}", json.at(key).integer<std::uint32_t>(), count, what));
    return false;
}

}  // namespace

Json toJson(const Block& block, const core::Limits& limits, const core::Diagnostics& diagnostics) {
    const Animation& animation = block.animation;
    requireMemoryForJson(animation.frameCount * (animation.boneCount() + 1), limits, {"angles", std::nullopt});
    Json translations = Json::array();
    Json angles = Json::array();
    for (std::size_t frame = 0; frame < animation.frameCount; ++frame) {
        translations.push_back(tripleAt(animation.translation, 0, frame));
        Json bones = Json::array();
        for (std::size_t bone = 0; bone < animation.boneCount(); ++bone)
            bones.push_back(tripleAt(animation.angles, 3 * bone, frame));
        angles.push_back(std::move(bones));
    }
    return {{"schema", 1},
            {"format", "ff9-animation"},
            {"frame_count", animation.frameCount},
            {"bone_count", animation.boneCount()},
            {"low_table", animation.hasLowTable},
            {"translations", std::move(translations)},
            {"angles", std::move(angles)},
            {"layout", block.layout ? toJson(*block.layout) : Json(nullptr)},
            {"warnings", warningsToJson(diagnostics)}};
}

Block blockFromJson(const JsonReader& json, const core::Limits& limits, core::Diagnostics& diagnostics) {
    Block block;
    Animation& animation = block.animation;
    const JsonReader translations = json.at("translations");
    const JsonReader angles = json.at("angles");
    const std::size_t frames = angles.size();
    if (frames == 0 || frames > kMostFrames)
        throw core::DecodeError(angles.place(), fmt::format("has {} frames, expected 1 to {}", frames, kMostFrames));
    if (translations.size() != frames)
        throw core::DecodeError(translations.place(),
                                fmt::format("has {} frames, but `angles` has {}", translations.size(), frames));
    animation.frameCount = static_cast<std::uint16_t>(frames);
    animation.translation = translationsFromJson(translations);
    animation.angles = anglesFromJson(angles);
    const bool framesFit = countFits(json, "frame_count", frames, "frames", diagnostics);
    const bool bonesFit = countFits(json, "bone_count", animation.boneCount(), "bones", diagnostics);

    animation.hasLowTable = json.at("low_table").flag();
    if (!animation.hasLowTable && hasLowBits(animation.angles)) {
        diagnostics.warn(core::Code::recomputed, {"low_table", std::nullopt},
                         "is false, but at least one angle is not a multiple of 16; a LOW table is written");
        animation.hasLowTable = true;
    }
    if (json.has("layout") && framesFit && bonesFit)
        block.layout = layoutFromJson(json.at("layout"), limits);
    if (!json.contains("layout"))
        diagnostics.note(core::Code::recomputed, {"layout", std::nullopt},
                         "is missing, so the order of the game's own tool is used");
    return block;
}

// ---------------------------------------------------------------------------------------------------------------------
// Models

Json toJson(const Model& model, const core::Limits& limits, const core::Diagnostics& diagnostics) {
    Json joints = Json::array();
    for (std::size_t i = 0; i < model.bones.size(); ++i) {
        const Bone& bone = model.bones[i];
        joints.push_back({{"index", i},
                          {"id", i},
                          {"name", boneName(i)},
                          {"parent", i == 0 ? Json(nullptr) : Json(bone.parent)},
                          {"length", bone.length},
                          {"unknown_02", bone.unknown02}});
    }
    Json json = {{"schema", 1}, {"format", "ff9-model"}};
    const std::size_t boneCount = model.bones.size();
    describe(fields::ToJson{json}, model, boneCount);
    json["root_parent"] = model.bones.front().parent;
    json["joints"] = std::move(joints);
    json["groups"] = toJson(model.groups, limits);
    json["warnings"] = warningsToJson(diagnostics);
    return json;
}

Model modelFromJson(const JsonReader& json, core::Diagnostics& diagnostics) {
    Model model;
    const JsonReader joints = json.at("joints");
    DerivedMembers derived;
    if (joints.size() == 0 || joints.size() > kMostBones)
        throw core::DecodeError(joints.place(),
                                fmt::format("has {} bones, expected 1 to {}", joints.size(), kMostBones));
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const JsonReader joint = joints.at(i);
        derived.expect(joint, "index", i);
        derived.expect(joint, "id", i);
        derived.expect(joint, "name", boneName(i));
        if (i == 0)
            derived.expect(joint, "parent", nullptr);
        Bone& bone = model.bones.emplace_back();
        bone.length = joint.at("length").integer<std::int16_t>();
        bone.unknown02 = joint.integerOr<std::uint8_t>("unknown_02", 0);
        bone.parent = i == 0
                          ? json.integerOr<std::uint8_t>("root_parent", 0)
                          : static_cast<std::uint8_t>(joint.at("parent").integer(0, static_cast<std::int64_t>(i) - 1));
    }
    const std::size_t bonesEnd = kModelHeaderSize + kBoneSize * model.bones.size();
    derived.report(diagnostics);
    for (const auto& [key, place] : {std::pair{"bone_table", kModelHeaderSize}, {"mesh_groups", bonesEnd}}) {
        DerivedMembers pointer;
        pointer.expect(json, key, place);
        pointer.report(diagnostics);
    }
    if (json.has("loaded"))
        model.loaded = static_cast<std::uint16_t>(json.at("loaded").integer(0, kLoaded));
    if (json.has("groups"))
        model.groups = groupsFromJson(json.at("groups"), model.bones.size(), diagnostics);
    model.size = json.integerOr<std::uint16_t>("size", packetBytesOf(model));
    model.neckBone = json.integerOr<std::uint8_t>("neck_bone", 0);
    model.unknown07 = json.integerOr<std::uint8_t>("unknown_07", 0);
    model.height = json.integerOr<std::uint16_t>("height", 0);
    model.radius = json.integerOr<std::uint16_t>("radius", 0);
    (void)countFits(json, "bone_count", model.bones.size(), "bones", diagnostics);
    (void)countFits(json, "group_count", model.groups.size(), "groups", diagnostics);
    return model;
}

// ---------------------------------------------------------------------------------------------------------------------
// Containers

Json toJson(const std::vector<Object>& objects, const core::Diagnostics& diagnostics) {
    Json entries = Json::array();
    for (const Object& object : objects) {
        Json entry = {{"name", object.name},
                      {"type", static_cast<int>(object.type)},
                      {"id", object.id},
                      {"offset", object.offset},
                      {"size", object.size}};
        if (object.damaged)
            entry["damaged"] = true;
        entries.push_back(std::move(entry));
    }
    return {{"schema", 1},
            {"format", "ff9-container"},
            {"entries", std::move(entries)},
            {"warnings", warningsToJson(diagnostics)}};
}

}  // namespace reanima::ff9
