#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/byte_reader.h"
#include "formats/angle_edits.h"
#include "formats/animation_links.h"
#include "formats/common_options.h"
#include "formats/ff7/battle_animation.h"
#include "formats/ff7/battle_clips.h"
#include "formats/ff7/battle_edits.h"
#include "formats/ff7/battle_json.h"
#include "formats/ff7/battle_names.h"
#include "formats/ff7/battle_retime.h"
#include "formats/ff7/battle_skeleton.h"
#include "formats/ff7/file_names.h"
#include "formats/ff7/mesh_options.h"
#include "formats/ff7/scene_names.h"
#include "formats/naming.h"
#include "formats/own_names.h"
#include "formats/row_functions.h"

namespace reanima::ff7 {

namespace {

using namespace std::string_view_literals;

// ---------------------------------------------------------------------------------------------------------------------
// Names

/// Possible names of the companion of a battle model's file: `xxda` <-> `xxaa`, `NAME.a00` <-> `NAME.d`.
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
constexpr std::array kKeyBitsChoices = {"0"sv, "2"sv, "4"sv};
constexpr OptionInfo kKeyBitsOption{
    "key-bits",
    OptionInfo::Type::text,
    "N",
    "for new Final Fantasy VII animations: set this many low bits of each angle to 0, for smaller files. Default: 0",
    0,
    0,
    kKeyBitsChoices,
    OptionInfo::Use::writing,
    "0"};
constexpr std::array kBattleAnimationOptions = {kRateOption,    kScaleOption,  kJointsOption,   kSubdivideOption,
                                                kNoMeshOption,  kWeaponOption, kLightingOption, kFilterOption,
                                                kNamesByOption, kKeyBitsOption};

/// The number of low bits that are 0 in new animations.
std::uint8_t keyBitsFrom(const OptionValues& options) {
    return static_cast<std::uint8_t>(options.text(kKeyBitsOption.key).value_or("0").front() - '0');
}

ClipSettings settingsFor(const File& file, const OptionValues& options) {
    auto settings = clipSettingsFrom<ClipSettings>(file, options);
    settings.subdivide = options.number(kSubdivideOption.key).value_or(settings.subdivide);
    return settings;
}

/// @throws core::DecodeError if it has no bones
BattleSkeleton readBattleRig(core::Bytes bytes, core::Diagnostics& diagnostics) {
    BattleSkeleton skeleton = decodeBattleSkeleton(bytes, diagnostics);
    if (skeleton.bones.empty())
        throw core::DecodeError({"bone_count", 0x0C}, "is 0, because this is a battle location, which has no bones");
    return skeleton;
}

/// Adds the meshes beside a skeleton.
/// @param file the skeleton's file name
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

PackHints hintsFrom(const BattleSkeleton* skeleton, const Context& context) {
    if (skeleton == nullptr)
        return {bonesExpected({}, context), {}};
    PackHints hints{bonesExpected(static_cast<std::uint32_t>(skeleton->bones.size()), context), {}};
    if (skeleton->bodyAnimationCount > 0)
        hints.bodyAnimations = skeleton->bodyAnimationCount;
    return hints;
}

/// Prepares a character's skeleton for the pack of a limit break. Such a pack has equal numbers of body and weapon
/// animations, if it has both.
/// @param bytes the pack's content
void expectLimit(BattleSkeleton& skeleton, core::Bytes bytes) {
    constexpr std::uint32_t kEach = 8;
    core::LittleEndianReader reader(bytes);
    if (bytes.size() >= sizeof(std::uint32_t) && reader.read<std::uint32_t>("count") <= 2 * kEach)
        skeleton.bodyAnimationCount = std::min(skeleton.bodyAnimationCount, kEach);
}

/// The action scripts beside a pack.
ActionScripts scriptsBeside(const File& file, const Context& context) {
    if (context.siblings == nullptr || !hasContentLetters(file.name, "da"))
        return {};
    const std::optional<File> scripts = (*context.siblings)(withContentLetters(file.name, "ab"));
    return scripts ? readActionScripts(scripts->bytes) : ActionScripts{};
}

void nameClips(std::vector<core::Clip>& clips, const ClipNames& names) {
    for (core::Clip& clip : clips) {
        const auto name = names.find(clip.index);
        if (name == names.end())
            continue;
        clip.name = clipNameOf(name->second);
        clip.fullName = name->second;
        clip.namedBy = core::NamedBy::table;
    }
}

/// Names clips after their limit break or, if its name is unknown, after their file. Clips are numbered in file order.
void nameLimit(std::vector<core::Clip>& clips, std::string_view file) {
    const std::string known = limitBreak(file);
    const std::string name = known.empty() ? core::lowerCase(stemOf(file)) : clipNameOf(known);
    for (core::Clip& clip : clips) {
        clip.name = clip.index == 0 ? name : fmt::format("{}_{}", name, clip.index + 1);
        if (known.empty())
            continue;
        clip.fullName = clip.index == 0 ? known : fmt::format("{} {}", known, clip.index + 1);
        clip.namedBy = core::NamedBy::table;
    }
}

/// The character of a pack or skeleton, from the user's own name file or, without an entry there, from the table.
core::Called characterOf(const File& file, const BattleSkeleton* skeleton) {
    if (skeleton == nullptr)
        return {};
    const auto own = file.told.find(kOwnNameKey);
    if (const std::string* name = own == file.told.end() ? nullptr : std::get_if<std::string>(&own->second)) {
        core::Called called = enemyCalled(*name, file.name, skeleton->kind);
        if (!called.title.empty())
            return called;
    }
    return battleCharacter(file.name, skeleton->kind);
}

void nameAll(core::Asset& asset, const File& file, const BattleSkeleton* skeleton, const Context& context) {
    if (namesByOf(context.options) == NamesBy::file)
        return;
    if (isLimit(file.name)) {
        nameLimit(asset.clips, file.name);
    } else if (skeleton != nullptr) {
        asset.called = characterOf(file, skeleton);
        nameClips(asset.clips, clipNamesOf(file.name, skeleton->kind, scriptsBeside(file, context)));
    }
}

/// Encodes a pack without warnings: sizes and counters follow from the written data.
core::ByteVector encodedQuietly(const BattlePack& pack) {
    core::Diagnostics unsaid;
    return encodeBattlePack(pack, unsaid);
}

/// An open battle pack, with the skeleton beside it.
class OpenedBattlePack final : public Opened {
  public:
    using Opened::Opened;

    [[nodiscard]] core::Asset asset(const std::string&, core::Diagnostics& diagnostics) override {
        const BattleSkeleton* rig = skeleton();
        core::Asset asset = toAsset(pack(), rig, settingsFor(file(), context().options), context().limits, diagnostics);
        nameAll(asset, file(), rig, context());
        if (rig != nullptr) {
            Context work = context().reporting(diagnostics);
            const Input& found = companion(Role::skeleton)->input;
            addBattleMeshes(asset, *rig, found.file.name, surroundingsOf(found), work);
        } else if (const std::string missing = skeletonOfLimit(file().name); !missing.empty()) {
            diagnostics.note(core::Code::missingFile, {}, fmt::format("its skeleton is {} in battle.lgp", missing));
        }
        return asset;
    }

    [[nodiscard]] Json dump() override { return toJson(pack(), context().limits, context().diagnostics); }

    [[nodiscard]] core::Called called() override {
        return namesByOf(context().options) == NamesBy::file ? core::Called{} : characterOf(file(), skeleton());
    }

    [[nodiscard]] core::StoredSteps steps() override {
        return stepsOfAngles(scaleFrom<ClipSettings>(context().options));
    }

    [[nodiscard]] EditedFile written(const core::Asset& original, std::span<const core::ClipEdit> edits,
                                     core::Diagnostics& diagnostics) override {
        BattlePack edited = pack();
        ClipSettings settings = settingsFor(file(), context().options);
        settings.keyBits = keyBitsFrom(context().options);
        EditedFile result;
        result.losses = applyEdits(edited, skeleton(), settings, original, edits, diagnostics);
        result.bytes = encodedQuietly(edited);
        return result;
    }

    [[nodiscard]] RetimedFile retimed(const RetimeSettings& settings) override {
        BattlePack changed = pack();
        RetimedFile result = retime(changed, skeleton(), settingsFor(file(), context().options).bones, settings);
        result.bytes = encodedQuietly(changed);
        return result;
    }

  private:
    /// The skeleton of the pack; null if there is none.
    const BattleSkeleton* skeleton() {
        const std::optional<BattleSkeleton>& known = skeleton_.by([&] {
            std::optional<BattleSkeleton> read = skeletonAmong(companions(), context());
            if (read && isLimit(file().name))
                expectLimit(*read, file().bytes);
            return read;
        });
        return known ? &*known : nullptr;
    }

    const BattlePack& pack() {
        return pack_.by([&] {
            return decodeBattlePack(file().bytes, hintsFrom(skeleton(), context()), context().limits,
                                    context().diagnostics);
        });
    }

    Once<std::optional<BattleSkeleton>> skeleton_;
    Once<BattlePack> pack_;
};

core::ByteVector stillPackFor(const NewClips& clips, const Companions& companions, Context& context) {
    const std::optional<BattleSkeleton> skeleton = skeletonAmong(companions, context);
    if (!skeleton)
        throw missingSkeleton();
    const bool withWeapon = clips.hasJoint(kWeaponJoint);
    const Input& file = companions.find(Role::skeleton)->second.input;
    const BattlePack pack = core::inFile(
        file.shownName(), [&] { return stillPack(*skeleton, clips.places, withWeapon, keyBitsFrom(context.options)); });
    return encodedQuietly(pack);
}

// ---------------------------------------------------------------------------------------------------------------------
// Battle skeletons

constexpr std::array kBattleSkeletonExtensions = {"aa"sv, "ff7aa"sv, "d"sv};
constexpr std::array kBattleSkeletonOptions = {kScaleOption,    kNoMeshOption, kWeaponOption,
                                               kLightingOption, kFilterOption, kNamesByOption};

class OpenedBattleSkeleton final : public OpenedBytes<decodeBattleSkeleton> {
  public:
    using OpenedBytes::OpenedBytes;

    [[nodiscard]] core::Asset asset(const std::string&, core::Diagnostics& diagnostics) override {
        Context work = context().reporting(diagnostics);
        core::Asset asset;
        asset.skeleton.emplace(toSkeleton(native(), scaleFrom<ClipSettings>(work.options)));
        asset.called = called();
        addBattleMeshes(asset, native(), file().name, surroundingsOf(file(), work), work);
        if (native().bones.empty() && asset.meshes.empty())
            throw core::DecodeError({"bone_count", 0x0C},
                                    "is 0, because this is a battle location, which has no bones");
        return asset;
    }

    [[nodiscard]] core::Called called() override {
        return namesByOf(context().options) == NamesBy::file ? core::Called{} : characterOf(file(), &native());
    }
};

// ---------------------------------------------------------------------------------------------------------------------
// Other files of a model

bool isActionScriptName(core::Bytes, std::string_view name) { return hasContentLetters(name, "ab"); }

std::string adviceFor(std::string_view name) {
    return name.size() == 4 ? "the animations are in " + withContentLetters(name, "da") : std::string();
}

/// True for names with these content letters (`rtda`), or with this extension (`NAME.a00`).
bool isBattleName(std::string_view name, std::string_view letters, std::string_view extension) {
    return hasContentLetters(name, letters) || (name.size() != 4 && extensionOf(name) == extension);
}

/// Recognises the files of a model in magic.lgp by name.
std::optional<bool> isOfCharacter(std::string_view animation, std::string_view character) {
    return extensionOf(animation) == "a00" ? std::optional(isLimitOf(animation, character)) : std::nullopt;
}

constexpr FurtherAnimations kLimitBreaks = {"magic.lgp", isOfCharacter};

// Folders of `scene.bin`, relative to the battle files: the same folder, or a folder per language beside `battle`.
// Unpacked battle files are one folder deeper than their archive.
constexpr std::array kSceneFolders = {""sv,
                                      "../"sv,
                                      "../lang-en/battle/"sv,
                                      "../lang-fr/battle/"sv,
                                      "../lang-de/battle/"sv,
                                      "../lang-es/battle/"sv,
                                      "../lang-ja/battle/"sv};

OwnNames ownNamesIn(core::Bytes file) {
    OwnNames names;
    for (auto& [id, name] : sceneNames(file))
        if (std::string code = battleCode(id); !code.empty())
            names.emplace(std::move(code), name);
    return names;
}

std::string keyOfModel(std::string_view name) {
    const bool isIts = hasContentLetters(name, "da") || hasContentLetters(name, "aa");
    return isIts ? lowerCase(name.substr(0, 2)) : std::string();
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
    .traits = {.isWrittenFromPoses = true, .addsClips = true, .isRetimed = true, .tellsCharacter = true},
    .isWhole = isBattlePack,
    .beginsLike = beginsLikeBattlePack,
    .needs =
        [](const File& file) {
            return std::vector<Need>{{Role::skeleton, packOrSkeletonNames(file.name, "da", "aa", "a00", "d")}};
        },
    .open = openAs<OpenedBattlePack>,
    .encode = encodeBy<packFromJson, encodeBattlePack>,
    .still = stillPackFor,
    .skeleton = "ff7-battle-skeleton",
    .others = kOtherFiles,
    .calledByName = battleCharacter,
    .isCharacter = [](std::string_view name, std::uint32_t) { return isBattleName(name, "da", "a00"); },
};

extern const Format kBattleSkeleton = {
    .id = "ff7-battle-skeleton",
    .label = "Final Fantasy VII (PC) battle skeleton",
    .kind = Kind::skeleton,
    .extensions = kBattleSkeletonExtensions,
    .isUsualName = [](std::string_view name) { return hasContentLetters(name, "aa"); },
    .options = kBattleSkeletonOptions,
    .traits = {.tellsCharacter = true},
    .isWhole = isBattleSkeleton,
    .needs =
        [](const File& file) {
            return std::vector<Need>{{Role::animation, packOrSkeletonNames(file.name, "aa", "da", "d", "a00")}};
        },
    .open = openAs<OpenedBattleSkeleton>,
    .encode = encodeBy<skeletonFromJson, encodeBattleSkeleton>,
    .calledByName = battleCharacter,
    .isCharacter = [](std::string_view name, std::uint32_t) { return isBattleName(name, "aa", "d"); },
};

extern const NameFile kScenes = {"scene.bin", kSceneFolders, kLargestSceneFile, ownNamesIn, keyOfModel};

extern const LinkRules kBattleLinks = {.format = kBattleAnimation, .further = &kLimitBreaks};

}  // namespace reanima::ff7
