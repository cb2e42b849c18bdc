#include "formats/ff7/field_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "formats/ff7/json_arrays.h"

namespace reanima::ff7 {

using core::Code;

namespace {

// ---------------------------------------------------------------------------------------------------------------------
// Texts: each byte becomes a character of Latin-1, so that all bytes are preserved

std::string latin1ToUtf8(std::string_view text) {
    std::string utf8;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80U) {
            utf8 += c;
            continue;
        }
        utf8 += static_cast<char>(0xC0U | byte >> 6U);
        utf8 += static_cast<char>(0x80U | (byte & 0x3FU));
    }
    return utf8;
}

std::string latin1From(const JsonReader& json) {
    const std::string_view utf8 = json.text();
    std::string text;
    for (std::size_t at = 0; at < utf8.size(); ++at) {
        const auto byte = static_cast<unsigned char>(utf8[at]);
        if (byte < 0x80U) {
            text += utf8[at];
            continue;
        }
        if (byte > 0xC3U || at + 1 == utf8.size())
            json.fail("characters of Latin-1");
        text += static_cast<char>((byte & 0x03U) << 6U | (static_cast<unsigned char>(utf8[++at]) & 0x3FU));
    }
    return text;
}

/// Rejects texts that can't be a word in a line of the file.
void requireWord(const JsonReader& json) {
    const std::string word = latin1From(json);
    if (word.find_first_of(" \t\r\n") != std::string::npos || word.empty())
        json.fail("a word without spaces");
}

/// Rejects values that a rewritten skeleton text can't store.
void requireWords(const JsonReader& joints) {
    for (std::size_t i = 0; i < joints.size(); ++i) {
        requireWord(joints.at(i).at("name"));
        for (const JsonReader& resource : joints.at(i).list("resources"))
            requireWord(resource);
    }
}

Triple tripleFrom(const JsonReader& json) {
    Triple triple{};
    arrayFrom(json, triple);
    return triple;
}

}  // namespace

// ---------------------------------------------------------------------------------------------------------------------
// Skeletons

Json toJson(const FieldSkeleton& skeleton, const core::Diagnostics& diagnostics) {
    Json joints = Json::array();
    for (std::size_t i = 0; i < skeleton.bones.size(); ++i) {
        const FieldBone& bone = skeleton.bones[i];
        Json resources = Json::array();
        for (const std::string& resource : bone.resources)
            resources.push_back(latin1ToUtf8(resource));
        joints.push_back({{"index", i},
                          {"id", i},
                          {"name", latin1ToUtf8(bone.name)},
                          {"parent", bone.parent ? Json(*bone.parent) : Json(nullptr)},
                          {"length", shortest(bone.length)},
                          {"resources", std::move(resources)}});
    }
    return {{"schema", 1},
            {"format", "ff7-field-skeleton"},
            {"name", latin1ToUtf8(skeleton.name)},
            {"bone_count", skeleton.boneCount},
            {"joints", std::move(joints)},
            {"text", latin1ToUtf8(skeleton.text)},
            {"warnings", warningsToJson(diagnostics)}};
}

FieldSkeleton fieldSkeletonFromJson(const JsonReader& json, core::Diagnostics& diagnostics) {
    FieldSkeleton skeleton;
    if (json.has("text"))
        skeleton.text = latin1From(json.at("text"));
    if (json.has("name"))
        skeleton.name = latin1From(json.at("name"));
    const JsonReader joints = json.at("joints");
    DerivedMembers derived;
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const JsonReader joint = joints.at(i);
        derived.expect(joint, "index", i);
        derived.expect(joint, "id", i);
        FieldBone& bone = skeleton.bones.emplace_back();
        bone.name = latin1From(joint.at("name"));
        if (joint.has("parent"))
            bone.parent = static_cast<std::uint32_t>(joint.at("parent").integer(0, static_cast<std::int64_t>(i) - 1));
        bone.length = joint.at("length").single();
        for (const JsonReader& resource : joint.list("resources"))
            bone.resources.push_back(latin1From(resource));
    }
    derived.report(diagnostics);
    skeleton.boneCount = json.integerOr("bone_count", static_cast<std::uint32_t>(skeleton.bones.size()));
    if (json.has("text") && agreesWithText(skeleton))
        return skeleton;
    requireWords(joints);
    if (json.has("text"))
        diagnostics.warn(Code::recomputed, {"text", std::nullopt},
                         "disagrees with the other values and is recalculated from them");
    if (const std::size_t bones = skeleton.bones.size();
        skeleton.boneCount != bones && (bones != 1 || skeleton.boneCount > 1)) {
        diagnostics.warn(Code::recomputed, {"bone_count", std::nullopt},
                         fmt::format("is {}, but there are {} joints", skeleton.boneCount, bones));
        skeleton.boneCount = static_cast<std::uint32_t>(bones);
    }
    return skeleton;
}

// ---------------------------------------------------------------------------------------------------------------------
// Animations

Json toJson(const FieldAnimation& animation, const core::Diagnostics& diagnostics) {
    Json frames = Json::array();
    auto rotation = animation.rotations.begin();
    for (const FieldAnimation::Frame& frame : animation.frames) {
        Json rotations = Json::array();
        for (std::uint32_t bone = 0; bone < animation.boneCount; ++bone)
            rotations.push_back(toJson(*rotation++));
        frames.push_back({{"rotation", toJson(frame.rotation)},
                          {"translation", toJson(frame.translation)},
                          {"rotations", std::move(rotations)}});
    }
    return {{"schema", 1},
            {"format", "ff7-field-animation"},
            {"version", animation.version},
            {"frame_count", animation.frameCount},
            {"bone_count", animation.boneCount},
            {"order", animation.order},
            {"unknown_0f", animation.unknown0F},
            {"runtime", animation.runtime},
            {"frames", std::move(frames)},
            {"tail", toHex(animation.tail)},
            {"warnings", warningsToJson(diagnostics)}};
}

FieldAnimation fieldAnimationFromJson(const JsonReader& json, core::Diagnostics& diagnostics) {
    FieldAnimation animation;
    if (json.has("version"))
        animation.version = static_cast<std::uint32_t>(json.at("version").integer(1, 1));
    if (json.has("order")) {
        json.at("order").requireSize(3);
        for (std::size_t i = 0; i < 3; ++i)
            animation.order[i] = json.at("order").at(i).integer<std::uint8_t>();
    }
    animation.unknown0F = json.integerOr("unknown_0f", animation.unknown0F);
    if (json.has("runtime")) {
        json.at("runtime").requireSize(animation.runtime.size());
        for (std::size_t i = 0; i < animation.runtime.size(); ++i)
            animation.runtime[i] = json.at("runtime").at(i).integer<std::uint32_t>();
    }
    const JsonReader frames = json.at("frames");
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const JsonReader frame = frames.at(i);
        const JsonReader rotations = frame.at("rotations");
        if (i == 0)
            animation.boneCount = static_cast<std::uint32_t>(rotations.size());
        rotations.requireSize(animation.boneCount);
        animation.frames.push_back({tripleFrom(frame.at("rotation")), tripleFrom(frame.at("translation"))});
        for (std::size_t bone = 0; bone < animation.boneCount; ++bone)
            animation.rotations.push_back(tripleFrom(rotations.at(bone)));
    }
    if (frames.size() == 0)
        animation.boneCount = json.integerOr("bone_count", animation.boneCount);
    DerivedMembers derived;
    derived.expect(json, "bone_count", animation.boneCount);
    derived.report(diagnostics);
    animation.tail = json.hexOrNone("tail");
    const auto present = static_cast<std::uint32_t>(animation.frames.size());
    animation.frameCount = json.integerOr("frame_count", present);
    // The count exceeds the number of frames if the file was truncated or contained values that were not finite.
    const bool isUnreadable = animation.frames.empty() && !hasTooManyBones(animation.boneCount, animation.tail.size());
    if (animation.frameCount < present || (animation.frameCount > present && isUnreadable)) {
        diagnostics.warn(Code::recomputed, {"frame_count", std::nullopt},
                         fmt::format("is {}, but there are {} frames", animation.frameCount, present));
        animation.frameCount = present;
    }
    return animation;
}

// ---------------------------------------------------------------------------------------------------------------------
// Resources

Json toJson(const FieldResource& resource, const core::Diagnostics& diagnostics) {
    Json textures = Json::array();
    for (const std::optional<std::string>& texture : resource.textures)
        textures.push_back(texture ? Json(latin1ToUtf8(*texture)) : Json(nullptr));
    return {{"schema", 1},
            {"format", "ff7-field-resource"},
            {"mesh", latin1ToUtf8(resource.mesh)},
            {"texture_count", resource.textures.size()},
            {"textures", std::move(textures)},
            {"text", latin1ToUtf8(resource.text)},
            {"warnings", warningsToJson(diagnostics)}};
}

FieldResource fieldResourceFromJson(const JsonReader& json, core::Diagnostics& diagnostics) {
    FieldResource resource;
    if (json.has("text"))
        resource.text = latin1From(json.at("text"));
    resource.mesh = latin1From(json.at("mesh"));
    const JsonReader textures = json.at("textures");
    for (std::size_t i = 0; i < textures.size(); ++i) {
        const JsonReader texture = textures.at(i);
        resource.textures.push_back(texture.isText() ? std::optional(latin1From(texture)) : std::nullopt);
        if (!texture.isText() && !texture.equals(nullptr))
            texture.fail("a text or null");
    }
    DerivedMembers derived;
    derived.expect(json, "texture_count", resource.textures.size());
    derived.report(diagnostics);
    if (json.has("text") && !agreesWithText(resource))
        diagnostics.warn(Code::recomputed, {"text", std::nullopt},
                         "disagrees with the other values and is recalculated from them");
    return resource;
}

}  // namespace reanima::ff7
