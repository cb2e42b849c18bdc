#include <array>

#include <nlohmann/json.hpp>

#include "formats/common_options.h"
#include "formats/ff7/battle_animation.h"
#include "formats/ff7/battle_clips.h"
#include "formats/ff7/battle_json.h"
#include "formats/ff7/battle_skeleton.h"
#include "formats/ff7/file_names.h"
#include "formats/ff7/mesh_options.h"
#include "formats/format.h"

namespace reanima::ff7 {

namespace {

using namespace std::string_view_literals;

// ---------------------------------------------------------------------------------------------------------------------
// Names

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

constexpr std::array kBattleAnimationExtensions = {"da"sv, "ff7da"sv, "a00"sv};
constexpr std::array kBattleAnimationOptions = {
    kRateOption,   kScaleOption, kJointsOption, kSubdivideOption, kNoMeshOption,
    kWeaponOption, kLitOption,   kUnlitOption,  kFilterOption,    kOverlayOption,
};

ClipSettings settingsFor(const File& file, const OptionValues& options) {
    auto settings = clipSettingsFrom<ClipSettings>(file, options);
    settings.subdivide = options.number(kSubdivideOption.key).value_or(settings.subdivide);
    return settings;
}

/// @throws core::DecodeError if it has no bones
BattleSkeleton readBattleRig(core::Bytes bytes, core::Diagnostics& diagnostics) {
    BattleSkeleton skeleton = decodeBattleSkeleton(bytes, diagnostics);
    if (skeleton.bones.empty())
        throw core::DecodeError({"bone_count", 0x0C}, "is 0: a location has pieces but no bones");
    return skeleton;
}

/// The meshes beside a skeleton.
/// @param file the skeleton's
void addBattleMeshes(core::Asset& asset, const BattleSkeleton& skeleton, const std::string& file,
                     const Surroundings& surroundings, Context& context) {
    if (context.options.flag(kNoMeshOption.key))
        return;
    const MeshSettings settings = meshSettingsFrom(context.options, file, scaleFrom<ClipSettings>(context.options),
                                                   MeshSettings::Lighting::battle);
    const ModelParts parts = battleParts(skeleton, file, weaponFrom(context.options), surroundings, context);
    if (parts.isNothing())
        noteNoMeshes(parts, surroundings, context);
    else
        addMeshes(asset, parts, settings.stem + "_body", settings, context);
}

std::optional<BattleSkeleton> skeletonAmong(const Companions& companions, Context& context) {
    return decodeCompanion(companions, Role::skeleton, context.diagnostics,
                           [&](core::Bytes bytes) { return readBattleRig(bytes, context.diagnostics); });
}

PackHints hintsFrom(const std::optional<BattleSkeleton>& skeleton, const Context& context) {
    if (!skeleton)
        return {bonesExpected({}, context), {}};
    PackHints hints{bonesExpected(static_cast<std::uint32_t>(skeleton->bones.size()), context), {}};
    if (skeleton->bodyAnimationCount > 0)
        hints.bodyAnimations = skeleton->bodyAnimationCount;
    return hints;
}

core::Asset loadBattleAnimation(const File& file, const Companions& companions, Context& context) {
    const std::optional<BattleSkeleton> skeleton = skeletonAmong(companions, context);
    const BattlePack pack =
        decodeBattlePack(file.bytes, hintsFrom(skeleton, context), context.limits, context.diagnostics);
    core::Asset asset = toAsset(pack, skeleton ? &*skeleton : nullptr, settingsFor(file, context.options),
                                context.limits, context.diagnostics);
    if (skeleton) {
        const Input& found = companions.find(Role::skeleton)->second.input;
        addBattleMeshes(asset, *skeleton, found.file.name, surroundingsOf(found), context);
    }
    return asset;
}

/// Reads what loading will read besides the companions.
void readBattleAnimationParts(const File&, const Companions& companions, Context& context) {
    core::Diagnostics ignored;
    const std::optional<BattleSkeleton> skeleton = decodeCompanion(
        companions, Role::skeleton, ignored, [&](core::Bytes bytes) { return decodeBattleSkeleton(bytes, ignored); });
    if (!skeleton || context.options.flag(kNoMeshOption.key))
        return;
    const Input& found = companions.find(Role::skeleton)->second.input;
    (void)battleParts(*skeleton, found.file.name, weaponFrom(context.options), surroundingsOf(found), context,
                      PartUse::files);
}

Json dumpAnimation(const File& file, const Companions& companions, Context& context) {
    const std::optional<BattleSkeleton> skeleton = skeletonAmong(companions, context);
    const BattlePack pack =
        decodeBattlePack(file.bytes, hintsFrom(skeleton, context), context.limits, context.diagnostics);
    return toJson(pack, context.diagnostics);
}

// ---------------------------------------------------------------------------------------------------------------------
// Battle skeletons

constexpr std::array kBattleSkeletonExtensions = {"aa"sv, "ff7aa"sv, "d"sv};
constexpr std::array kBattleSkeletonOptions = {kScaleOption, kNoMeshOption, kWeaponOption, kLitOption,
                                               kUnlitOption, kFilterOption, kOverlayOption};

core::Asset loadBattleSkeleton(const File& file, const Companions&, Context& context) {
    const BattleSkeleton skeleton = decodeBattleSkeleton(file.bytes, context.diagnostics);
    core::Asset asset;
    asset.skeleton.emplace(toSkeleton(skeleton, scaleFrom<ClipSettings>(context.options)));
    addBattleMeshes(asset, skeleton, file.name, surroundingsOf(file, context), context);
    if (skeleton.bones.empty() && asset.meshes.empty())
        throw core::DecodeError({"bone_count", 0x0C}, "is 0: a location has pieces but no bones");
    return asset;
}

void readBattleSkeletonParts(const File& file, const Companions&, Context& context) {
    if (!context.options.flag(kNoMeshOption.key))
        (void)battleParts(decodeBattleSkeleton(file.bytes, context.diagnostics), file.name, weaponFrom(context.options),
                          surroundingsOf(file, context), context, PartUse::files);
}

// ---------------------------------------------------------------------------------------------------------------------
// What else lies there

bool isActionScriptName(core::Bytes, std::string_view name) { return hasContentLetters(name, "ab"); }

std::string adviceFor(std::string_view name) {
    return name.size() == 4 ? "the animations are in " + withContentLetters(name, "da") : std::string();
}

/// True for `rtda`, and `NAME.a00` of the same content.
bool isBattleName(std::string_view name, std::string_view letters, std::string_view extension) {
    return hasContentLetters(name, letters) || (name.size() != 4 && extensionOf(name) == extension);
}

constexpr std::array kOtherFiles = {
    OtherFile{"an action script of Final Fantasy VII", isActionScriptName, adviceFor},
};

}  // namespace

extern const Format kBattleAnimation = {
    .id = "ff7-battle-animation",
    .label = "Final Fantasy VII (PC) battle animations",
    .kind = Kind::animation,
    .extensions = kBattleAnimationExtensions,
    .isUsualName = [](std::string_view name) { return hasContentLetters(name, "da"); },
    .options = kBattleAnimationOptions,
    .isWhole = isBattlePack,
    .beginsLike = beginsLikeBattlePack,
    .needs =
        [](const File& file) {
            return std::vector<Need>{{Role::skeleton, packOrSkeletonNames(file.name, "da", "aa", "a00", "d")}};
        },
    .load = loadBattleAnimation,
    .dump = dumpAnimation,
    .encode =
        [](const JsonReader& json, Context& context) {
            return encodeBattlePack(packFromJson(json, context.diagnostics), context.diagnostics);
        },
    .readParts = readBattleAnimationParts,
    .skeleton = "ff7-battle-skeleton",
    .others = kOtherFiles,
    .isCharacter = [](std::string_view name, std::uint32_t) { return isBattleName(name, "da", "a00"); },
};

extern const Format kBattleSkeleton = {
    .id = "ff7-battle-skeleton",
    .label = "Final Fantasy VII (PC) battle skeleton",
    .kind = Kind::skeleton,
    .extensions = kBattleSkeletonExtensions,
    .isUsualName = [](std::string_view name) { return hasContentLetters(name, "aa"); },
    .options = kBattleSkeletonOptions,
    .isWhole = isBattleSkeleton,
    .needs =
        [](const File& file) {
            return std::vector<Need>{{Role::animation, packOrSkeletonNames(file.name, "aa", "da", "d", "a00")}};
        },
    .load = loadBattleSkeleton,
    .dump =
        [](const File& file, const Companions&, Context& context) {
            return toJson(decodeBattleSkeleton(file.bytes, context.diagnostics), context.diagnostics);
        },
    .encode = [](const JsonReader& json,
                 Context& context) { return encodeBattleSkeleton(skeletonFromJson(json, context.diagnostics)); },
    .readParts = readBattleSkeletonParts,
    .isCharacter = [](std::string_view name, std::uint32_t) { return isBattleName(name, "aa", "d"); },
};

}  // namespace reanima::ff7
