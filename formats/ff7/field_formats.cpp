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
#include "formats/row_functions.h"

namespace reanima::ff7 {

namespace {

using namespace std::string_view_literals;

constexpr std::array kFieldAnimationExtensions = {"a"sv};
constexpr std::array kFieldSkeletonExtensions = {"hrc"sv};
constexpr std::array kFieldAnimationOptions = {kRateOption,     kScaleOption,  kJointsOption,  kNoMeshOption,
                                               kLightingOption, kFilterOption, kNamesByOption, kFieldsOption};
constexpr std::array kFieldSkeletonOptions = {kScaleOption,  kNoMeshOption,  kLightingOption,
                                              kFilterOption, kNamesByOption, kFieldsOption};

void requireBones(const FieldSkeleton& skeleton) {
    if (skeleton.bones.empty())
        throw core::DecodeError({"bone_count", std::nullopt}, "there are no bones");
}

/// @throws core::DecodeError if the skeleton has no bones
FieldSkeleton readFieldRig(core::Bytes bytes, core::Diagnostics& diagnostics) {
    FieldSkeleton skeleton = decodeFieldSkeleton(bytes, diagnostics);
    requireBones(skeleton);
    return skeleton;
}

/// Adds the meshes that are named by a skeleton's bones.
/// @param file the skeleton's file name
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

/// Sets the character of a field model from the table. The table has no short names, so outputs are named after files.
/// @param file the skeleton's file name
void tellCharacter(core::Asset& asset, std::string_view file, const Context& context) {
    const core::Called known = fieldCharacter(file);
    if (known.isKnown() && namesByOf(context.options) == NamesBy::game)
        asset.called = {{}, {}, known.fullName, known.namedBy};
}

std::optional<FieldSkeleton> fieldSkeletonAmong(const Companions& companions, Context& context) {
    return decodeCompanion(companions, Role::skeleton, context.diagnostics,
                           [&](core::Bytes bytes) { return readFieldRig(bytes, context.diagnostics); });
}

/// An open animation, with the skeleton beside it.
class OpenedFieldAnimation final : public OpenedNumbers<OpenedBytes<decodeFieldAnimation>> {
  public:
    using OpenedNumbers::OpenedNumbers;

    [[nodiscard]] core::Asset asset(const std::string&, core::Diagnostics& diagnostics) override {
        const FieldAnimation& animation = native();
        const std::optional<FieldSkeleton>& rig = skeleton();
        core::Asset asset = toAsset(animation, rig ? &*rig : nullptr, settings(), diagnostics);
        if (rig) {
            Context work = context().reporting(diagnostics);
            const Input& found = companion(Role::skeleton)->input;
            tellCharacter(asset, found.file.name, work);
            addFieldMeshes(asset, *rig, found.file.name, surroundingsOf(found), work);
        }
        return asset;
    }

    [[nodiscard]] core::StoredSteps steps() override { return fieldSteps(scaleFrom<FieldSettings>(context().options)); }

    [[nodiscard]] EditedFile written(const core::Asset& original, std::span<const core::ClipEdit> edits,
                                     core::Diagnostics&) override {
        FieldAnimation edited = native();
        EditedFile result;
        for (const core::ClipEdit& edit : edits)
            std::ranges::move(applyEdit(edited, original, edit, settings()), std::back_inserter(result.losses));
        result.bytes = encodeFieldAnimation(edited);
        return result;
    }

    [[nodiscard]] RetimedFile retimed(const RetimeSettings& settings) override {
        FieldAnimation changed = native();
        RetimedFile result = retime(changed, settings, context().limits);
        result.bytes = encodeFieldAnimation(changed);
        return result;
    }

  private:
    [[nodiscard]] FieldSettings settings() { return clipSettingsFrom<FieldSettings>(file(), context().options); }

    const std::optional<FieldSkeleton>& skeleton() {
        return skeleton_.by([&] { return fieldSkeletonAmong(companions(), context()); });
    }

    Once<std::optional<FieldSkeleton>> skeleton_;
};

class OpenedFieldSkeleton final : public OpenedBytes<decodeFieldSkeleton> {
  public:
    using OpenedBytes::OpenedBytes;

    [[nodiscard]] core::Asset asset(const std::string&, core::Diagnostics& diagnostics) override {
        Context work = context().reporting(diagnostics);
        requireBones(native());
        core::Asset asset;
        asset.skeleton.emplace(toSkeleton(native(), scaleFrom<FieldSettings>(work.options)));
        tellCharacter(asset, file().name, work);
        addFieldMeshes(asset, native(), file().name, surroundingsOf(file(), work), work);
        return asset;
    }
};

core::ByteVector stillField(const NewClips&, const Companions& companions, Context& context) {
    const std::optional<FieldSkeleton> skeleton = fieldSkeletonAmong(companions, context);
    if (!skeleton)
        throw missingSkeleton();
    return encodeFieldAnimation(stillFieldAnimation(static_cast<std::uint32_t>(skeleton->bones.size())));
}

/// The name of another file, in upper or lower case like the name of this file.
std::string namedLike(const File& file, std::string_view name) {
    return inCaseOf(file.name.empty() ? 'a' : file.name.front(), name);
}

/// The skeletons that an animation may move: first those that play it in the game, then those with its name.
std::vector<std::string> skeletonNames(const File& file) {
    std::vector<std::string> names;
    for (const std::string& name : skeletonsOf(file.name))
        names.push_back(namedLike(file, name));
    std::ranges::move(companionNames(file.name, kFieldSkeletonExtensions.front()), std::back_inserter(names));
    return names;
}

/// Candidates for a skeleton's usual pose: first those that it plays in the game, then those with its name.
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

/// The number of bones of an animation. Empty without frames, since then no data confirms the stated number.
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

bool isFieldSkeletonName(std::string_view name) { return extensionOf(name) == kFieldSkeletonExtensions.front(); }

}  // namespace

extern const Format kFieldAnimation = {
    .id = "ff7-field-animation",
    .label = "Final Fantasy VII (PC) field animation",
    .kind = Kind::animation,
    .extensions = kFieldAnimationExtensions,
    .options = kFieldAnimationOptions,
    .traits = {.isWrittenFromPoses = true, .isRetimed = true},
    .isWhole = isFieldAnimation,
    .beginsLike = beginsLikeFieldAnimation,
    .needs =
        [](const File& file) {
            return std::vector<Need>{{Role::skeleton, skeletonNames(file)}};
        },
    .open = openAs<OpenedFieldAnimation>,
    .encode = encodeBy<fieldAnimationFromJson, encodeFieldAnimation>,
    .still = stillField,
    .skeleton = "ff7-field-skeleton",
    .isCharacter = [](std::string_view name,
                      std::uint32_t) { return extensionOf(name) == kFieldAnimationExtensions.front(); },
};

extern const Format kFieldSkeleton = {
    .id = "ff7-field-skeleton",
    .label = "Final Fantasy VII (PC) field skeleton",
    .kind = Kind::skeleton,
    .extensions = kFieldSkeletonExtensions,
    .isUsualName = isFieldSkeletonName,
    .options = kFieldSkeletonOptions,
    .isWhole = isFieldSkeleton,
    .beginsLike = beginsLikeFieldSkeleton,
    .needs =
        [](const File& file) {
            return std::vector<Need>{{Role::animation, animationNames(file)}};
        },
    .open = openAs<OpenedFieldSkeleton>,
    .encode = encodeBy<fieldSkeletonFromJson, encodeFieldSkeleton>,
    .calledByName = fieldCharacter,
    .isCharacter = [](std::string_view name, std::uint32_t) { return isFieldSkeletonName(name); },
};

extern const LinkRules kFieldAnimationLinks = {.format = kFieldAnimation, .boneCount = bonesOfAnimation};
extern const LinkRules kFieldSkeletonLinks = {
    .format = kFieldSkeleton, .links = &kFields, .boneCount = bonesOfSkeleton};

}  // namespace reanima::ff7
