#include <algorithm>
#include <array>
#include <iterator>

#include "formats/common_options.h"
#include "formats/ff7/field_animation.h"
#include "formats/ff7/field_clips.h"
#include "formats/ff7/field_edits.h"
#include "formats/ff7/field_json.h"
#include "formats/ff7/field_models.h"
#include "formats/ff7/field_names.h"
#include "formats/ff7/field_retime.h"
#include "formats/ff7/field_skeleton.h"
#include "formats/ff7/mesh_options.h"
#include "formats/json_memory.h"
#include "formats/row_functions.h"

namespace reanima::ff7 {

namespace {

using namespace std::string_view_literals;

constexpr std::array kFieldAnimationExtensions = {"a"sv};
constexpr std::array kFieldSkeletonExtensions = {"hrc"sv};
constexpr std::array kFieldAnimationOptions = {kRateOption,    kScaleOption, kJointsOption, kNoMeshOption,
                                               kLitOption,     kUnlitOption, kFilterOption, kOverlayOption,
                                               kNamesByOption, kFieldsOption};
constexpr std::array kFieldSkeletonOptions = {kScaleOption,  kNoMeshOption,  kLitOption,     kUnlitOption,
                                              kFilterOption, kOverlayOption, kNamesByOption, kFieldsOption};

/// @throws core::DecodeError if it has no bones
FieldSkeleton readFieldRig(core::Bytes bytes, core::Diagnostics& diagnostics) {
    FieldSkeleton skeleton = decodeFieldSkeleton(bytes, diagnostics);
    if (skeleton.bones.empty())
        throw core::DecodeError({"bone_count", std::nullopt}, "there are no bones");
    return skeleton;
}

/// The meshes that the bones of a skeleton name.
/// @param file the skeleton's
void addFieldMeshes(core::Asset& asset, const FieldSkeleton& skeleton, const std::string& file,
                    const Surroundings& surroundings, Context& context) {
    if (context.options.flag(kNoMeshOption.key))
        return;
    const MeshSettings settings = meshSettingsFrom(context.options, file, scaleFrom<FieldSettings>(context.options),
                                                   MeshSettings::Lighting::field);
    const ModelParts parts = fieldParts(skeleton, surroundings, context);
    if (parts.isNothing())
        noteNoMeshes(parts, surroundings, context);
    else
        addMeshes(asset, parts, settings.stem + "_body", settings, context);
}

/// Says who a field model is in the table. Its files keep their own names: the table holds no more of them than those.
/// @param file the skeleton's
void tellCharacter(core::Asset& asset, std::string_view file, const Context& context) {
    const auto known = fieldTable().find(lowerCase(file));
    if (known != fieldTable().end() && namesByOf(context.options) == NamesBy::game)
        asset.called = {{}, {}, known->second.name, core::NamedBy::table};
}

core::Asset loadFieldAnimation(const File& file, const Companions& companions, Context& context) {
    const FieldAnimation animation = decodeFieldAnimation(file.bytes, context.limits, context.diagnostics);
    const std::optional<FieldSkeleton> skeleton =
        decodeCompanion(companions, Role::skeleton, context.diagnostics,
                        [&](core::Bytes bytes) { return readFieldRig(bytes, context.diagnostics); });
    core::Asset asset = toAsset(animation, skeleton ? &*skeleton : nullptr,
                                clipSettingsFrom<FieldSettings>(file, context.options), context.diagnostics);
    if (skeleton) {
        const Input& found = companions.find(Role::skeleton)->second.input;
        tellCharacter(asset, found.file.name, context);
        addFieldMeshes(asset, *skeleton, found.file.name, surroundingsOf(found), context);
    }
    return asset;
}

EditedFile fieldFromAsset(const File& file, const Companions&, const core::Asset& original,
                          std::span<const core::ClipEdit> edits, Context& context) {
    core::Diagnostics said;  // by loading it
    FieldAnimation animation = decodeFieldAnimation(file.bytes, context.limits, said);
    EditedFile edited;
    for (const core::ClipEdit& edit : edits) {
        const auto losses =
            applyEdit(animation, original, edit, clipSettingsFrom<FieldSettings>(file, context.options));
        edited.losses.insert(edited.losses.end(), losses.begin(), losses.end());
    }
    edited.bytes = encodeFieldAnimation(animation);
    return edited;
}

core::ByteVector stillField(const NewClips&, const Companions& companions, Context& context) {
    const std::optional<FieldSkeleton> skeleton =
        decodeCompanion(companions, Role::skeleton, context.diagnostics,
                        [&](core::Bytes bytes) { return readFieldRig(bytes, context.diagnostics); });
    if (!skeleton)
        throw missingSkeleton();
    return encodeFieldAnimation(stillFieldAnimation(static_cast<std::uint32_t>(skeleton->bones.size())));
}

RetimedFile retimeField(const File& file, const Companions&, const RetimeSettings& settings, Context& context) {
    FieldAnimation animation = decodeFieldAnimation(file.bytes, context.limits, context.diagnostics);
    RetimedFile result = retime(animation, settings, context.limits);
    result.bytes = encodeFieldAnimation(animation);
    return result;
}

/// Reads what loading will read besides the companions.
void readFieldAnimationParts(const File&, const Companions& companions, Context& context) {
    core::Diagnostics ignored;
    const std::optional<FieldSkeleton> skeleton = decodeCompanion(
        companions, Role::skeleton, ignored, [&](core::Bytes bytes) { return decodeFieldSkeleton(bytes, ignored); });
    if (skeleton && !context.options.flag(kNoMeshOption.key))
        (void)fieldParts(*skeleton, surroundingsOf(companions.find(Role::skeleton)->second.input), context,
                         PartUse::files);
}

core::Asset loadFieldSkeleton(const File& file, const Companions&, Context& context) {
    const FieldSkeleton skeleton = readFieldRig(file.bytes, context.diagnostics);
    core::Asset asset;
    asset.skeleton.emplace(toSkeleton(skeleton, scaleFrom<FieldSettings>(context.options)));
    tellCharacter(asset, file.name, context);
    addFieldMeshes(asset, skeleton, file.name, surroundingsOf(file, context), context);
    return asset;
}

void readFieldSkeletonParts(const File& file, const Companions&, Context& context) {
    if (!context.options.flag(kNoMeshOption.key))
        (void)fieldParts(decodeFieldSkeleton(file.bytes, context.diagnostics), surroundingsOf(file, context), context,
                         PartUse::files);
}

/// Another file's name in the case of this one's.
std::string namedLike(const File& file, std::string_view name) {
    return inCaseOf(file.name.empty() ? 'a' : file.name.front(), name);
}

/// The skeletons that an animation may move: those that play it in the game, then those of its own name.
std::vector<std::string> skeletonNames(const File& file) {
    std::vector<std::string> names;
    for (const std::string& name : skeletonsOf(file.name))
        names.push_back(namedLike(file, name));
    std::ranges::move(companionNames(file.name, kFieldSkeletonExtensions.front()), std::back_inserter(names));
    return names;
}

/// The animations that a skeleton's usual pose may be in: those that it plays in the game, then those of its own name.
std::vector<std::string> animationNames(const File& file) {
    std::vector<std::string> names;
    const auto known = fieldTable().find(lowerCase(file.name));
    if (known != fieldTable().end())
        for (const LinkedAnimation& animation : known->second.animations)
            names.push_back(namedLike(file, animation.file));
    std::ranges::move(companionNames(file.name, kFieldAnimationExtensions.front()), std::back_inserter(names));
    return names;
}

constexpr LinkSource kFields = {"flevel.lgp", readFieldLinks, fieldTable};

/// Bones of an animation; nothing of one without frames: what it states then are no bytes of the file.
std::optional<std::uint32_t> bonesOfAnimation(core::Bytes bytes) {
    core::Diagnostics ignored;
    try {
        const FieldAnimation animation = decodeFieldAnimation(bytes, {}, ignored);
        return animation.frames.empty() ? std::nullopt : std::optional(animation.boneCount);
    } catch (const core::DecodeError&) {
        return std::nullopt;
    }
}

std::optional<std::uint32_t> bonesOfSkeleton(core::Bytes bytes) {
    core::Diagnostics ignored;
    try {
        return static_cast<std::uint32_t>(decodeFieldSkeleton(bytes, ignored).bones.size());
    } catch (const core::DecodeError&) {
        return std::nullopt;
    }
}

}  // namespace

extern const Format kFieldAnimation = {
    .id = "ff7-field-animation",
    .label = "Final Fantasy VII (PC) field animation",
    .kind = Kind::animation,
    .extensions = kFieldAnimationExtensions,
    .options = kFieldAnimationOptions,
    .isWhole = isFieldAnimation,
    .beginsLike = beginsLikeFieldAnimation,
    .needs =
        [](const File& file) {
            return std::vector<Need>{{Role::skeleton, skeletonNames(file)}};
        },
    .load = loadFieldAnimation,
    .dump =
        [](const File& file, const Companions&, Context& context) {
            requireRoomForJson(file.bytes, context.limits);
            return toJson(decodeFieldAnimation(file.bytes, context.limits, context.diagnostics), context.diagnostics);
        },
    .encode = encodeBy<fieldAnimationFromJson, encodeFieldAnimation>,
    .storedSteps = [](const File&, const Companions&,
                      Context& context) { return fieldSteps(scaleFrom<FieldSettings>(context.options)); },
    .fromAsset = fieldFromAsset,
    .still = stillField,
    .retime = retimeField,
    .readParts = readFieldAnimationParts,
    .skeleton = "ff7-field-skeleton",
    .isCharacter = [](std::string_view name,
                      std::uint32_t) { return extensionOf(name) == kFieldAnimationExtensions.front(); },
};

extern const Format kFieldSkeleton = {
    .id = "ff7-field-skeleton",
    .label = "Final Fantasy VII (PC) field skeleton",
    .kind = Kind::skeleton,
    .extensions = kFieldSkeletonExtensions,
    .options = kFieldSkeletonOptions,
    .isWhole = isFieldSkeleton,
    .beginsLike = beginsLikeFieldSkeleton,
    .needs =
        [](const File& file) {
            return std::vector<Need>{{Role::animation, animationNames(file)}};
        },
    .load = loadFieldSkeleton,
    .dump = dumpBy<decodeFieldSkeleton>,
    .encode = encodeBy<fieldSkeletonFromJson, encodeFieldSkeleton>,
    .readParts = readFieldSkeletonParts,
    .isCharacter = [](std::string_view name,
                      std::uint32_t) { return extensionOf(name) == kFieldSkeletonExtensions.front(); },
};

extern const LinkRules kFieldAnimationLinks = {.format = kFieldAnimation, .boneCount = bonesOfAnimation};
extern const LinkRules kFieldSkeletonLinks = {
    .format = kFieldSkeleton, .links = &kFields, .boneCount = bonesOfSkeleton};

}  // namespace reanima::ff7
