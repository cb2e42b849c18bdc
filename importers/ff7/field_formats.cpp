#include <array>

#include <nlohmann/json.hpp>

#include "importers/common_options.h"
#include "importers/ff7/field_animation.h"
#include "importers/ff7/field_clips.h"
#include "importers/ff7/field_json.h"
#include "importers/ff7/field_skeleton.h"
#include "importers/format.h"

namespace reanima::ff7 {

namespace {

using namespace std::string_view_literals;

constexpr std::array kAnimationExtensions = {"a"sv};
constexpr std::array kSkeletonExtensions = {"hrc"sv};
constexpr std::array kAnimationOptions = {kRateOption, kScaleOption, kJointsOption};
constexpr std::array kSkeletonOptions = {kScaleOption};

FieldSettings settingsFor(const File& file, const OptionValues& options) {
    FieldSettings settings;
    settings.source = file.name;
    settings.stem = std::string(stemOf(file.name));
    settings.rate = options.number("rate").value_or(settings.rate);
    settings.scale = options.number("scale").value_or(settings.scale);
    settings.bones = options.count("joints");
    return settings;
}

/// @throws core::DecodeError if it has no bones
FieldSkeleton readRig(core::Bytes bytes, core::Diagnostics& diagnostics) {
    FieldSkeleton skeleton = decodeFieldSkeleton(bytes, diagnostics);
    if (skeleton.bones.empty())
        throw core::DecodeError({"bone_count", std::nullopt}, "there are no bones");
    return skeleton;
}

core::Asset loadAnimation(const File& file, const Companions& companions, Context& context) {
    const FieldAnimation animation = decodeFieldAnimation(file.bytes, context.limits, context.diagnostics);
    const std::optional<FieldSkeleton> skeleton =
        decodeCompanion(companions, Role::skeleton, context.diagnostics,
                        [&](core::Bytes bytes) { return readRig(bytes, context.diagnostics); });
    return toAsset(animation, skeleton ? &*skeleton : nullptr, settingsFor(file, context.options), context.diagnostics);
}

core::Asset loadSkeleton(const File& file, const Companions&, Context& context) {
    core::Asset asset;
    asset.skeleton.emplace(toSkeleton(readRig(file.bytes, context.diagnostics),
                                      context.options.number("scale").value_or(FieldSettings{}.scale)));
    return asset;
}

}  // namespace

extern const Format kFieldAnimation = {
    .id = "ff7-field-animation",
    .label = "Final Fantasy VII (PC) field animation",
    .kind = Kind::animation,
    .extensions = kAnimationExtensions,
    .isUsualName = nullptr,
    .options = kAnimationOptions,
    .claim = [](core::Bytes bytes) { return claimIf(bytes, isFieldAnimation, beginsLikeFieldAnimation); },
    .needs =
        [](const File& file) {
            return std::vector<Need>{{Role::skeleton, companionNames(file.name, "hrc")}};
        },
    .load = loadAnimation,
    .dump =
        [](const File& file, const Companions&, Context& context) {
            return toJson(decodeFieldAnimation(file.bytes, context.limits, context.diagnostics), context.diagnostics);
        },
    .encode = [](const JsonReader& json,
                 Context& context) { return encodeFieldAnimation(fieldAnimationFromJson(json, context.diagnostics)); },
    .skeleton = "ff7-field-skeleton",
};

extern const Format kFieldSkeleton = {
    .id = "ff7-field-skeleton",
    .label = "Final Fantasy VII (PC) field skeleton",
    .kind = Kind::skeleton,
    .extensions = kSkeletonExtensions,
    .isUsualName = nullptr,
    .options = kSkeletonOptions,
    .claim = [](core::Bytes bytes) { return claimIf(bytes, isFieldSkeleton, beginsLikeFieldSkeleton); },
    .needs =
        [](const File& file) {
            return std::vector<Need>{{Role::animation, companionNames(file.name, "a")}};
        },
    .load = loadSkeleton,
    .dump =
        [](const File& file, const Companions&, Context& context) {
            return toJson(decodeFieldSkeleton(file.bytes, context.diagnostics), context.diagnostics);
        },
    .encode = [](const JsonReader& json,
                 Context& context) { return encodeFieldSkeleton(fieldSkeletonFromJson(json, context.diagnostics)); },
};

}  // namespace reanima::ff7
