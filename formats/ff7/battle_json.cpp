#include "formats/ff7/battle_json.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "formats/angle_json.h"
#include "formats/fields_json.h"
#include "formats/naming.h"
#include "json/stored_values.h"

namespace reanima::ff7 {

namespace {

const char* kindName(BattleAnimation::Kind kind) {
    switch (kind) {
        case BattleAnimation::Kind::animation:
            return "animation";
        case BattleAnimation::Kind::special:
            return "special";
        case BattleAnimation::Kind::damaged:
            break;
    }
    return "damaged";
}

Json animationToJson(const BattleAnimation& animation, std::size_t index, Json warnings) {
    Json json = {{"index", index},
                 {"offset", animation.offset},
                 {"kind", kindName(animation.kind)},
                 {"bone_count", animation.boneCount},
                 {"frame_count", animation.frameCount},
                 {"block_size", animation.blockSize}};
    if (animation.missing > 0)
        json["missing"] = animation.missing;
    if (animation.kind != BattleAnimation::Kind::animation) {
        json["raw"] = toHex(animation.raw);
    } else {
        json["stream_frame_count"] = animation.streamFrameCount ? Json(*animation.streamFrameCount) : Json(nullptr);
        json["stream_size"] = animation.streamSize;
        json["key_bits"] = animation.keyBits;
        json["rotation_count"] = animation.rotationCount;
        json["frames"] = reanima::toJson(animation.frames);
        json["tail_bits"] = animation.frames.tailBits;
        json["tail_bytes"] = toHex(animation.frames.tailBytes);
        json["padding"] = toHex(animation.padding);
        if (!animation.frames.wideRuns.empty()) {
            Json runs = Json::array();
            for (const Frames::WideRun& run : animation.frames.wideRuns)
                runs.push_back({run.first, run.count});
            json["wide_runs"] = std::move(runs);
        }
    }
    json["warnings"] = std::move(warnings);
    return json;
}

Frames readFrames(const JsonReader& json) {
    Frames result;
    framesFromJson(json.at("frames"), result);
    result.tailBits = json.integerOr("tail_bits", result.tailBits);
    result.tailBytes = json.hexOrNone("tail_bytes");
    if (json.has("wide_runs")) {
        const JsonReader runs = json.at("wide_runs");
        for (std::size_t i = 0; i < runs.size(); ++i) {
            runs.at(i).requireSize(2);
            result.wideRuns.push_back(
                {runs.at(i).at(0).integer<std::uint32_t>(), runs.at(i).at(1).integer<std::uint32_t>()});
        }
    }
    return result;
}

/// Reads the stored sizes. Without them, uses the sizes of the frames.
void readSizes(const JsonReader& json, BattleAnimation& animation) {
    animation.streamSize = json.has("stream_size") ? json.at("stream_size").integer<std::uint16_t>()
                                                   : static_cast<std::uint16_t>(streamSizeOf(animation));
    const std::uint32_t words = animation.streamFrameCount ? 5 : 3;
    const std::uint32_t content = words + animation.streamSize;
    const std::uint32_t padded = (content + 3) / 4 * 4;
    if (json.has("padding")) {
        animation.padding = json.at("padding").hex();
    } else {
        // Without the bytes, only padding up to a multiple of four can be restored.
        const std::int64_t after = std::int64_t{json.integerOr("block_size", padded)} - content;
        animation.padding.resize(after >= 0 && after < 4 ? static_cast<std::size_t>(after) : 0);
    }
    const std::size_t size = content + animation.padding.size() + animation.missing;
    animation.blockSize = json.integerOr("block_size", static_cast<std::uint32_t>(size));
}

BattleAnimation animationFromJson(const JsonReader& json) {
    BattleAnimation animation;
    const std::string_view kind = json.at("kind").text();
    if (kind != "animation" && kind != "special" && kind != "damaged")
        json.at("kind").fail("\"animation\", \"special\" or \"damaged\"");
    animation.kind = kind == "animation" ? BattleAnimation::Kind::animation
                     : kind == "special" ? BattleAnimation::Kind::special
                                         : BattleAnimation::Kind::damaged;
    animation.missing = json.integerOr("missing", animation.missing);
    if (json.has("offset"))
        animation.offset = static_cast<std::uint64_t>(json.at("offset").integer(4, 0xFFFFFFFF));
    if (animation.kind != BattleAnimation::Kind::animation) {
        animation.raw = json.at("raw").hex();
        animation.boneCount = json.integerOr("bone_count", animation.boneCount);
        animation.frameCount = json.integerOr("frame_count", animation.frameCount);
        animation.blockSize =
            json.integerOr("block_size", static_cast<std::uint32_t>(animation.raw.size() + animation.missing));
        return animation;
    }
    animation.frames = readFrames(json);
    animation.rotationCount = static_cast<std::uint32_t>(animation.frames.triples());
    const auto frames = static_cast<std::uint32_t>(animation.frames.count());
    animation.boneCount = json.integerOr("bone_count", animation.rotationCount);
    animation.frameCount = json.integerOr("frame_count", frames);
    if (!json.contains("stream_frame_count"))
        animation.streamFrameCount = static_cast<std::uint16_t>(frames);
    else if (json.has("stream_frame_count"))
        animation.streamFrameCount = json.at("stream_frame_count").integer<std::uint16_t>();
    animation.decodedRotationCount = json.integerOr("rotation_count", animation.rotationCount);
    animation.keyBits =
        json.has("key_bits") ? json.at("key_bits").integer<std::uint8_t>() : coarsestKey(animation.frames.rotations);
    if (std::find(kKeyBits.begin(), kKeyBits.end(), animation.keyBits) == kKeyBits.end())
        json.at("key_bits").fail("0, 2 or 4");
    readSizes(json, animation);
    return animation;
}

/// Warnings whose field begins with `prefix`. If `prefix` is empty: warnings that belong to no animation.
Json warningsOf(const core::Diagnostics& diagnostics, const std::string& prefix) {
    return warningsToJson(diagnostics, [&prefix](const std::string& field) {
        return prefix.empty() ? field.rfind("animations[", 0) != 0 : field.rfind(prefix, 0) == 0;
    });
}

}  // namespace

Json toJson(const BattlePack& pack, const core::Limits& limits, const core::Diagnostics& diagnostics) {
    constexpr std::uint64_t kBytesPerAnimation = 2400;  // measured for the members of an animation and their text
    std::uint64_t triples = 0;
    for (const BattleAnimation& animation : pack.animations)
        triples += animation.frames.triples() * animation.frames.count();
    const std::uint64_t members = kBytesPerAnimation * pack.animations.size();
    requireMemoryForJson(triples, limits.holding(members), {"animations", std::nullopt});
    Json animations = Json::array();
    for (std::size_t i = 0; i < pack.animations.size(); ++i)
        animations.push_back(
            animationToJson(pack.animations[i], i, warningsOf(diagnostics, fmt::format("animations[{}]", i))));
    return {{"schema", 1},
            {"format", "ff7-battle-animation"},
            {"count", pack.count},
            {"animations_present", pack.animations.size()},
            {"animations", std::move(animations)},
            {"trailing", toHex(pack.trailing)},
            {"warnings", warningsOf(diagnostics, {})}};
}

BattlePack packFromJson(const JsonReader& json, core::Diagnostics& diagnostics) {
    BattlePack pack;
    const JsonReader animations = json.at("animations");
    pack.trailing = json.hexOrNone("trailing");
    DerivedMembers derived;
    for (std::size_t i = 0; i < animations.size(); ++i) {
        const JsonReader animation = animations.at(i);
        pack.animations.push_back(animationFromJson(animation));
        derived.expect(animation, "index", i);
        if (pack.animations.back().missing > 0 && (i + 1 < animations.size() || !pack.trailing.empty()))
            animation.at("missing").fail("0, because only the last animation of the file can be cut off");
    }
    const auto present = static_cast<std::uint32_t>(pack.animations.size());
    derived.expect(json, "animations_present", present);
    derived.report(diagnostics);
    pack.count = json.integerOr("count", present);
    // A count larger than the file's content is kept as long as no animation was added or removed.
    const bool unedited =
        json.has("animations_present") && json.at("animations_present").integer<std::uint32_t>() == present;
    if (pack.count != present && !unedited) {
        diagnostics.warn(core::Code::recomputed, {"count", std::nullopt},
                         fmt::format("is {}, but there are {} animations", pack.count, present));
        pack.count = present;
    }
    return pack;
}

Json toJson(const BattleSkeleton& skeleton, const core::Diagnostics& diagnostics) {
    Json joints = Json::array();
    for (std::size_t i = 0; i < skeleton.bones.size(); ++i) {
        const Bone& bone = skeleton.bones[i];
        joints.push_back({{"index", i},
                          {"id", i},
                          {"name", boneName(i)},
                          {"parent", bone.parent < 0 ? Json(nullptr) : Json(bone.parent)},
                          {"length", shortest(bone.length)},
                          {"has_model", bone.hasModel}});
    }
    Json json = {{"schema", 1}, {"format", "ff7-battle-skeleton"}};
    describe(fields::ToJson{json}, skeleton, skeleton.bones);
    json["joints"] = std::move(joints);
    json["trailing"] = toHex(skeleton.trailing);
    json["warnings"] = warningsOf(diagnostics, {});
    return json;
}

BattleSkeleton skeletonFromJson(const JsonReader& json, core::Diagnostics& diagnostics) {
    BattleSkeleton skeleton;
    if (json.has("kind"))
        (void)json.at("kind").integer(0, kLastSkeletonKind);
    describe(fields::FromJson{json}, skeleton, skeleton.bones);
    const JsonReader joints = json.at("joints");
    DerivedMembers derived;
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const JsonReader joint = joints.at(i);
        derived.expect(joint, "index", i);
        derived.expect(joint, "id", i);
        derived.expect(joint, "name", boneName(i));
        Bone& bone = skeleton.bones.emplace_back();
        if (joint.has("parent"))
            bone.parent = static_cast<std::int32_t>(joint.at("parent").integer(0, static_cast<std::int64_t>(i) - 1));
        bone.length = joint.at("length").single();
        bone.hasModel = joint.integerOr<std::uint32_t>("has_model", 0);
    }
    derived.report(diagnostics);
    skeleton.trailing = json.hexOrNone("trailing");
    return skeleton;
}

}  // namespace reanima::ff7
