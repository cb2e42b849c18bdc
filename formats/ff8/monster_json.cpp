#include "formats/ff8/monster_json.h"

#include <limits>

#include <fmt/format.h>

#include "formats/fields_json.h"
#include "formats/packed_json.h"

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

Skeleton skeletonFromJson(const JsonReader& json, DerivedMembers& derived) {
    Skeleton skeleton;
    const JsonReader section = json.at("skeleton");
    describe(fields::FromJson{section}, skeleton);
    skeleton.rest = section.hexOrNone("rest");
    const JsonReader joints = json.at("joints");
    joints.requireSize(1, kMostBones);
    skeleton.bones = fields::listFromJson<Bone>(joints, derived);
    fields::requireParents(joints, skeleton.bones);
    return skeleton;
}

// ---------------------------------------------------------------------------------------------------------------------
// Animations

Json toJson(const Animation& animation, std::size_t index) {
    Json json = {{"index", index}, {"damaged", animation.isDamaged}};
    putPacked(json, animation);
    for (std::size_t frame = 0; frame < animation.scales.size(); ++frame)
        if (!animation.scales[frame].empty())
            json["frames"][frame]["scales"] = animation.scales[frame];
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
    packedFromJson(json, bones, kMostFrames, animation, derived);
    for (const JsonReader& frame : json.has("frames") ? json.list("frames") : std::vector<JsonReader>{})
        animation.scales.push_back(scalesFromJson(frame, bones));
    return animation;
}

/// Rejects an animation without bytes: it would have the offset of the next animation, and readers would read that one.
void requireBytes(const JsonReader& animations, const std::vector<Animation>& read) {
    bool isLast = true;
    for (std::size_t i = read.size(); i-- > 0;) {
        const bool isEmpty = read[i].isDamaged && read[i].gap.empty();
        if (isEmpty && !isLast)
            animations.at(i).fail(
                "frames, or a gap with the bytes of a damaged animation, because only the last animation may be empty");
        isLast = isLast && isEmpty;
    }
}

}  // namespace

Json toJson(const Monster& monster, const core::Limits& limits, const core::Diagnostics& diagnostics) {
    requireMemoryForJson<Animation>(monster.animations, limits, {"animations", std::nullopt},
                                    [](const Animation& animation) {
                                        std::uint64_t triples = animation.scales.size();
                                        for (const std::vector<ScaleTriple>& scales : animation.scales)
                                            triples += scales.size();
                                        return triples;
                                    });
    Json animations = Json::array();
    for (const Animation& animation : monster.animations)
        animations.push_back(toJson(animation, animations.size()));
    Json sections = Json::array();
    for (std::size_t i = 0; i < kSections; ++i)
        sections.push_back(isDecoded(i) ? Json(nullptr) : Json(toHex(monster.sections[i])));
    Json json = {{"schema", 1},
                 {"format", "ff8-monster"},
                 {"name", nameOf(monster)},
                 {"skeleton", toJson(monster.skeleton)},
                 {"joints", fields::listToJson(monster.skeleton.bones)},
                 {"motion_gap", toHex(monster.motionGap)},
                 {"animations", std::move(animations)},
                 {"sections", std::move(sections)},
                 {"trailing", toHex(monster.trailing)},
                 {"warnings", warningsToJson(diagnostics)}};
    if (!monster.isMotionAligned)
        json["motion_aligned"] = false;
    return json;
}

Monster monsterFromJson(const JsonReader& json, core::Diagnostics& diagnostics) {
    Monster monster;
    DerivedMembers derived;
    monster.skeleton = skeletonFromJson(json, derived);
    monster.motionGap = json.hexOrNone("motion_gap");
    monster.isMotionAligned = !json.has("motion_aligned") || json.at("motion_aligned").flag();
    const JsonReader animations = json.at("animations");
    for (std::size_t i = 0; i < animations.size(); ++i) {
        derived.expect(animations.at(i), "index", i);
        monster.animations.push_back(animationFromJson(animations.at(i), monster.skeleton.bones.size(), derived));
    }
    requireBytes(animations, monster.animations);
    const JsonReader sections = json.at("sections");
    sections.requireSize(kSections);
    for (std::size_t i = 0; i < kSections; ++i)
        if (!isDecoded(i))
            monster.sections[i] = sections.at(i).hex();
        else if (!sections.at(i).equals(Json()))
            sections.at(i).fail("null, because this section is written from the values above");
    derived.expect(json, "name", nameOf(monster));
    monster.trailing = json.hexOrNone("trailing");
    derived.report(diagnostics);
    return monster;
}

}  // namespace reanima::ff8
