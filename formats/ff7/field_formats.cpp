#include <array>

#include <nlohmann/json.hpp>

#include "formats/common_options.h"
#include "formats/ff7/field_animation.h"
#include "formats/ff7/field_clips.h"
#include "formats/ff7/field_json.h"
#include "formats/ff7/field_skeleton.h"
#include "formats/ff7/mesh_options.h"
#include "formats/format.h"

namespace reanima::ff7 {

namespace {

using namespace std::string_view_literals;

constexpr std::array kFieldAnimationExtensions = {"a"sv};
constexpr std::array kFieldSkeletonExtensions = {"hrc"sv};
constexpr std::array kFieldAnimationOptions = {kRateOption, kScaleOption, kJointsOption, kNoMeshOption,
                                               kLitOption,  kUnlitOption, kFilterOption, kOverlayOption};
constexpr std::array kFieldSkeletonOptions = {kScaleOption, kNoMeshOption, kLitOption,
                                              kUnlitOption, kFilterOption, kOverlayOption};

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

core::Asset loadFieldAnimation(const File& file, const Companions& companions, Context& context) {
    const FieldAnimation animation = decodeFieldAnimation(file.bytes, context.limits, context.diagnostics);
    const std::optional<FieldSkeleton> skeleton =
        decodeCompanion(companions, Role::skeleton, context.diagnostics,
                        [&](core::Bytes bytes) { return readFieldRig(bytes, context.diagnostics); });
    core::Asset asset = toAsset(animation, skeleton ? &*skeleton : nullptr,
                                clipSettingsFrom<FieldSettings>(file, context.options), context.diagnostics);
    if (skeleton) {
        const Input& found = companions.find(Role::skeleton)->second.input;
        addFieldMeshes(asset, *skeleton, found.file.name, surroundingsOf(found), context);
    }
    return asset;
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
    addFieldMeshes(asset, skeleton, file.name, surroundingsOf(file, context), context);
    return asset;
}

void readFieldSkeletonParts(const File& file, const Companions&, Context& context) {
    if (!context.options.flag(kNoMeshOption.key))
        (void)fieldParts(decodeFieldSkeleton(file.bytes, context.diagnostics), surroundingsOf(file, context), context,
                         PartUse::files);
}

}  // namespace

extern const Format kFieldAnimation = {
    .id = "ff7-field-animation",
    .label = "Final Fantasy VII (PC) field animation",
    .kind = Kind::animation,
    .extensions = kFieldAnimationExtensions,
    .isUsualName = nullptr,
    .options = kFieldAnimationOptions,
    .isWhole = isFieldAnimation,
    .beginsLike = beginsLikeFieldAnimation,
    .needs =
        [](const File& file) {
            return std::vector<Need>{{Role::skeleton, companionNames(file.name, "hrc")}};
        },
    .load = loadFieldAnimation,
    .dump =
        [](const File& file, const Companions&, Context& context) {
            return toJson(decodeFieldAnimation(file.bytes, context.limits, context.diagnostics), context.diagnostics);
        },
    .encode = [](const JsonReader& json,
                 Context& context) { return encodeFieldAnimation(fieldAnimationFromJson(json, context.diagnostics)); },
    .readParts = readFieldAnimationParts,
    .skeleton = "ff7-field-skeleton",
};

extern const Format kFieldSkeleton = {
    .id = "ff7-field-skeleton",
    .label = "Final Fantasy VII (PC) field skeleton",
    .kind = Kind::skeleton,
    .extensions = kFieldSkeletonExtensions,
    .isUsualName = nullptr,
    .options = kFieldSkeletonOptions,
    .isWhole = isFieldSkeleton,
    .beginsLike = beginsLikeFieldSkeleton,
    .needs =
        [](const File& file) {
            return std::vector<Need>{{Role::animation, companionNames(file.name, "a")}};
        },
    .load = loadFieldSkeleton,
    .dump =
        [](const File& file, const Companions&, Context& context) {
            return toJson(decodeFieldSkeleton(file.bytes, context.diagnostics), context.diagnostics);
        },
    .encode = [](const JsonReader& json,
                 Context& context) { return encodeFieldSkeleton(fieldSkeletonFromJson(json, context.diagnostics)); },
    .readParts = readFieldSkeletonParts,
    .isCharacter = [](std::string_view name,
                      std::uint32_t) { return extensionOf(name) == kFieldSkeletonExtensions.front(); },
};

}  // namespace reanima::ff7
