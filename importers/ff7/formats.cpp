#include <array>

#include <nlohmann/json.hpp>

#include "importers/common_options.h"
#include "importers/ff7/battle_animation.h"
#include "importers/ff7/battle_clips.h"
#include "importers/ff7/battle_json.h"
#include "importers/ff7/battle_skeleton.h"
#include "importers/format.h"

namespace reanima::ff7 {

namespace {

using namespace std::string_view_literals;

// ---------------------------------------------------------------------------------------------------------------------
// Names. A battle model's files have four letters and no extension: two for the model, two for the content.

/// `rtda` -> true for "da"
bool hasContentLetters(std::string_view name, std::string_view letters) {
    return name.size() == 4 && lowerCase(name.substr(2)) == letters;
}

/// `rtda` -> `rtaa` for "aa"; the letters' case is kept.
std::string withContentLetters(std::string_view name, std::string_view letters) {
    return std::string(name.substr(0, name.size() - 2)) + inCaseOf(name.back(), letters);
}

/// The names under which the companion of a battle model's file may lie: `xxda` <-> `xxaa`, `NAME.a00` <-> `NAME.d`.
std::vector<std::string> packOrSkeletonNames(std::string_view name, std::string_view letters,
                                             std::string_view otherLetters, std::string_view extension,
                                             std::string_view otherExtension) {
    if (extensionOf(name) == extension)
        return companionNames(name, otherExtension);
    std::vector<std::string> names;
    if (!extensionOf(name).empty())
        return names;
    for (const std::string& stem : companionStems(name))
        if (stem.size() > 2 && lowerCase(std::string_view(stem).substr(stem.size() - 2)) == letters)
            names.push_back(withContentLetters(stem, otherLetters));
    return names;
}

// ---------------------------------------------------------------------------------------------------------------------
// Battle animations

constexpr std::array kAnimationExtensions = {"da"sv, "ff7da"sv, "a00"sv};
constexpr std::array kAnimationOptions = {
    kRateOption,
    kScaleOption,
    kJointsOption,
    kSubdivideOption,
};

ClipSettings settingsFor(const File& file, const OptionValues& options) {
    ClipSettings settings;
    settings.source = file.name;
    settings.stem = std::string(stemOf(file.name));
    settings.rate = options.number("rate").value_or(settings.rate);
    settings.scale = options.number("scale").value_or(settings.scale);
    settings.subdivide = options.number("subdivide").value_or(settings.subdivide);
    settings.bones = options.count("joints");
    return settings;
}

/// @throws core::DecodeError if it has no bones
BattleSkeleton readRig(core::Bytes bytes, core::Diagnostics& diagnostics) {
    BattleSkeleton skeleton = decodeBattleSkeleton(bytes, diagnostics);
    if (skeleton.bones.empty())
        throw core::DecodeError({"bone_count", 0x0C}, "is 0: a location has pieces but no bones");
    return skeleton;
}

std::optional<BattleSkeleton> skeletonAmong(const Companions& companions, Context& context) {
    return decodeCompanion(companions, Role::skeleton, context.diagnostics,
                           [&](core::Bytes bytes) { return readRig(bytes, context.diagnostics); });
}

PackHints hintsFrom(const std::optional<BattleSkeleton>& skeleton, const Context& context) {
    if (!skeleton)
        return {bonesExpected({}, context), {}};
    PackHints hints{bonesExpected(static_cast<std::uint32_t>(skeleton->bones.size()), context), {}};
    if (skeleton->bodyAnimationCount > 0)
        hints.bodyAnimations = skeleton->bodyAnimationCount;
    return hints;
}

core::Asset loadAnimation(const File& file, const Companions& companions, Context& context) {
    const std::optional<BattleSkeleton> skeleton = skeletonAmong(companions, context);
    const BattlePack pack =
        decodeBattlePack(file.bytes, hintsFrom(skeleton, context), context.limits, context.diagnostics);
    return toAsset(pack, skeleton ? &*skeleton : nullptr, settingsFor(file, context.options), context.limits,
                   context.diagnostics);
}

Json dumpAnimation(const File& file, const Companions& companions, Context& context) {
    const std::optional<BattleSkeleton> skeleton = skeletonAmong(companions, context);
    const BattlePack pack =
        decodeBattlePack(file.bytes, hintsFrom(skeleton, context), context.limits, context.diagnostics);
    return toJson(pack, context.diagnostics);
}

// ---------------------------------------------------------------------------------------------------------------------
// Battle skeletons

constexpr std::array kSkeletonExtensions = {"aa"sv, "ff7aa"sv, "d"sv};
constexpr std::array kSkeletonOptions = {kScaleOption};

core::Asset loadSkeleton(const File& file, const Companions&, Context& context) {
    core::Asset asset;
    asset.skeleton.emplace(toSkeleton(readRig(file.bytes, context.diagnostics),
                                      context.options.number("scale").value_or(ClipSettings{}.scale)));
    return asset;
}

// ---------------------------------------------------------------------------------------------------------------------
// What else lies there

bool isActionScriptName(core::Bytes, std::string_view name) { return hasContentLetters(name, "ab"); }

std::string adviceFor(std::string_view name) {
    return name.size() == 4 ? "the animations are in " + withContentLetters(name, "da") : std::string();
}

constexpr std::array kOtherFiles = {
    OtherFile{"an action script of Final Fantasy VII", isActionScriptName, adviceFor},
};

}  // namespace

extern const Format kBattleAnimation = {
    .id = "ff7-battle-animation",
    .label = "Final Fantasy VII (PC) battle animations",
    .kind = Kind::animation,
    .extensions = kAnimationExtensions,
    .isUsualName = [](std::string_view name) { return hasContentLetters(name, "da"); },
    .options = kAnimationOptions,
    .claim = [](core::Bytes bytes) { return claimIf(bytes, isBattlePack, beginsLikeBattlePack); },
    .needs =
        [](const File& file) {
            return std::vector<Need>{{Role::skeleton, packOrSkeletonNames(file.name, "da", "aa", "a00", "d")}};
        },
    .load = loadAnimation,
    .dump = dumpAnimation,
    .encode =
        [](const JsonReader& json, Context& context) {
            return encodeBattlePack(packFromJson(json, context.diagnostics), context.diagnostics);
        },
    .skeleton = "ff7-battle-skeleton",
    .others = kOtherFiles,
};

extern const Format kBattleSkeleton = {
    .id = "ff7-battle-skeleton",
    .label = "Final Fantasy VII (PC) battle skeleton",
    .kind = Kind::skeleton,
    .extensions = kSkeletonExtensions,
    .isUsualName = [](std::string_view name) { return hasContentLetters(name, "aa"); },
    .options = kSkeletonOptions,
    .claim = [](core::Bytes bytes) { return claimIf(bytes, isBattleSkeleton); },
    .needs =
        [](const File& file) {
            return std::vector<Need>{{Role::animation, packOrSkeletonNames(file.name, "aa", "da", "d", "a00")}};
        },
    .load = loadSkeleton,
    .dump =
        [](const File& file, const Companions&, Context& context) {
            return toJson(decodeBattleSkeleton(file.bytes, context.diagnostics), context.diagnostics);
        },
    .encode = [](const JsonReader& json,
                 Context& context) { return encodeBattleSkeleton(skeletonFromJson(json, context.diagnostics)); },
};

}  // namespace reanima::ff7
