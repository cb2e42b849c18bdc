#include "formats/ff8/monster_json.h"

#include <limits>

#include <fmt/format.h>

#include "formats/angle_json.h"
#include "formats/fields_json.h"

namespace reanima::ff8 {

namespace {

constexpr std::size_t kMostBones = 255;
constexpr std::size_t kMostFrames = 255;

// ---------------------------------------------------------------------------------------------------------------------
// Skeleton

Json toJson(const Skeleton& skeleton) {
    Json json;
    describe(fields::ToJson{json}, skeleton);
    json["rest"] = toHex(skeleton.rest);
    return json;
}

Json toJson(const std::vector<Bone>& bones) {
    Json list = Json::array();
    for (const Bone& bone : bones) {
        Json json = {{"index", list.size()}};
        describe(fields::ToJson{json}, bone);
        list.push_back(std::move(json));
    }
    return list;
}

Skeleton skeletonFromJson(const JsonReader& json, DerivedMembers& derived) {
    Skeleton skeleton;
    const JsonReader section = json.at("skeleton");
    describe(fields::FromJson{section}, skeleton);
    skeleton.rest = section.hexOrNone("rest");
    const JsonReader joints = json.at("joints");
    if (joints.size() == 0 || joints.size() > kMostBones)
        throw core::DecodeError(joints.place(),
                                fmt::format("has {} elements, expected 1 to {}", joints.size(), kMostBones));
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const JsonReader joint = joints.at(i);
        derived.expect(joint, "index", i);
        describe(fields::FromJson{joint}, skeleton.bones.emplace_back());
        if (!hasValidParent(skeleton, i))
            joint.at("parent").fail(i == 0 ? "65535" : "an earlier bone");
    }
    return skeleton;
}

// ---------------------------------------------------------------------------------------------------------------------
// Animations

Json toJson(const Animation& animation, std::size_t index) {
    Json json = {{"index", index}, {"damaged", animation.isDamaged}};
    if (!animation.isDamaged) {
        Json frames = reanima::toJson(animation);
        for (std::size_t frame = 0; frame < animation.count(); ++frame)
            if (!animation.scales[frame].empty())
                frames[frame]["scales"] = animation.scales[frame];
        json["frames"] = std::move(frames);
        json["tail_bits"] = animation.tailBits;
        Json wide = Json::array();
        for (const Animation::Wide& value : animation.wide)
            wide.push_back({value.value, value.code});
        json["wide"] = std::move(wide);
    }
    json["gap"] = toHex(animation.gap);
    return json;
}

std::vector<ScaleTriple> scalesFromJson(const JsonReader& frame, std::size_t bones) {
    std::vector<ScaleTriple> scales;
    if (!frame.has("scales"))
        return scales;
    const JsonReader list = frame.at("scales");
    list.requireSize(bones);
    for (std::size_t bone = 0; bone < bones; ++bone) {
        list.at(bone).requireSize(3);
        ScaleTriple& scale = scales.emplace_back();
        for (std::size_t axis = 0; axis < 3; ++axis)
            scale[axis] = static_cast<std::int32_t>(
                list.at(bone).at(axis).integer(kScaleOne + std::numeric_limits<std::int16_t>::min(),
                                               kScaleOne + std::numeric_limits<std::int16_t>::max()));
    }
    return scales;
}

Animation animationFromJson(const JsonReader& json, std::size_t bones, DerivedMembers& derived) {
    Animation animation;
    animation.gap = json.hexOrNone("gap");
    animation.isDamaged = !json.has("frames");
    derived.expect(json, "damaged", animation.isDamaged);
    if (animation.isDamaged)
        return animation;
    const JsonReader frames = json.at("frames");
    if (frames.size() > kMostFrames)
        throw core::DecodeError(frames.place(),
                                fmt::format("has {} elements, expected at most {}", frames.size(), kMostFrames));
    framesFromJson(frames, animation);
    for (std::size_t frame = 0; frame < frames.size(); ++frame) {
        frames.at(frame).at("rotations").requireSize(bones);
        animation.scales.push_back(scalesFromJson(frames.at(frame), bones));
    }
    animation.tailBits = json.integerOr("tail_bits", animation.tailBits);
    for (const JsonReader& value : json.list("wide")) {
        value.requireSize(2);
        animation.wide.push_back(
            {value.at(0).integer<std::uint32_t>(), static_cast<std::uint8_t>(value.at(1).integer(0, 3))});
    }
    return animation;
}

}  // namespace

Json toJson(const Monster& monster, const core::Limits& limits, const core::Diagnostics& diagnostics) {
    constexpr std::uint64_t kTexts = 5;  // digits, in values and in the text that is made of them
    std::uint64_t triples = 0;
    std::uint64_t gaps = 0;
    for (const Animation& animation : monster.animations) {
        gaps += animation.gap.size();
        triples += animation.rotations.size() + animation.wide.size();
        for (const std::vector<ScaleTriple>& scales : animation.scales)
            triples += 1 + scales.size();
    }
    requireMemoryForJson(triples, limits.holding((1 + kTexts) * gaps), {"animations", std::nullopt});
    Json animations = Json::array();
    for (const Animation& animation : monster.animations)
        animations.push_back(toJson(animation, animations.size()));
    Json sections = Json::array();
    for (std::size_t i = 0; i < kSections; ++i)
        sections.push_back(isDecoded(i) ? Json(nullptr) : Json(toHex(monster.sections[i])));
    return {{"schema", 1},
            {"format", "ff8-monster"},
            {"name", nameOf(monster)},
            {"skeleton", toJson(monster.skeleton)},
            {"joints", toJson(monster.skeleton.bones)},
            {"motion_gap", toHex(monster.motionGap)},
            {"animations", std::move(animations)},
            {"sections", std::move(sections)},
            {"trailing", toHex(monster.trailing)},
            {"warnings", warningsToJson(diagnostics)}};
}

Monster monsterFromJson(const JsonReader& json, core::Diagnostics& diagnostics) {
    Monster monster;
    DerivedMembers derived;
    monster.skeleton = skeletonFromJson(json, derived);
    monster.motionGap = json.hexOrNone("motion_gap");
    const JsonReader animations = json.at("animations");
    for (std::size_t i = 0; i < animations.size(); ++i) {
        derived.expect(animations.at(i), "index", i);
        monster.animations.push_back(animationFromJson(animations.at(i), monster.skeleton.bones.size(), derived));
    }
    const JsonReader sections = json.at("sections");
    sections.requireSize(kSections);
    for (std::size_t i = 0; i < kSections; ++i)
        if (!isDecoded(i))
            monster.sections[i] = sections.at(i).hex();
        else if (!sections.at(i).equals(Json()))
            sections.at(i).fail("null: this section is written from the values above");
    derived.expect(json, "name", nameOf(monster));
    monster.trailing = json.hexOrNone("trailing");
    derived.report(diagnostics);
    return monster;
}

}  // namespace reanima::ff8
