#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "importers/common_options.h"
#include "importers/ff9/animation.h"
#include "importers/ff9/clips.h"
#include "importers/ff9/container_clips.h"
#include "importers/ff9/model.h"
#include "importers/ff9/native_json.h"
#include "importers/format.h"

namespace reanima::ff9 {

namespace {

using namespace std::string_view_literals;
using core::LittleEndianReader;

constexpr std::array kAnimationOptions = {kRateOption, kScaleOption, kJointsOption};

ClipSettings settingsFrom(const OptionValues& options) {
    ClipSettings settings;
    settings.rate = options.number("rate").value_or(settings.rate);
    settings.scale = options.number("scale").value_or(settings.scale);
    return settings;
}

std::vector<Need> needsModel(const File& file) { return {{Role::skeleton, companionNames(file.name, "ff9model")}}; }

std::optional<Model> modelAmong(const Companions& companions, Context& context) {
    return decodeCompanion(companions, Role::skeleton, context.diagnostics, [&](core::Bytes bytes) {
        return decodeModel(LittleEndianReader(bytes), context.limits, context.diagnostics);
    });
}

std::optional<std::uint32_t> bonesOf(const std::optional<Model>& model) {
    return model ? std::optional(static_cast<std::uint32_t>(model->bones.size())) : std::nullopt;
}

// ---------------------------------------------------------------------------------------------------------------------
// Animations

constexpr std::array kAnimationExtensions = {"ff9anim"sv};

core::Asset loadAnimation(const File& file, const Companions& companions, Context& context) {
    const ClipSettings settings = settingsFrom(context.options);
    const std::optional<Model> model = modelAmong(companions, context);
    core::SampleBudget budget(context.limits);
    const Animation animation = decodeAnimation(LittleEndianReader(file.bytes), bonesExpected(bonesOf(model), context),
                                                budget, context.diagnostics);
    core::Asset asset;
    asset.skeleton.emplace(model ? toSkeleton(*model, settings.scale)
                                 : madeUpSkeleton(animation.boneCount(), settings.scale));
    core::LargeSteps largeSteps;
    asset.clips.push_back(
        toClip(animation, std::string(stemOf(file.name)), asset.skeleton->joints.size(), settings, largeSteps));
    asset.clips.front().source = file.name;
    largeSteps.report(context.diagnostics, kStepRemedy);
    return asset;
}

Json dumpAnimation(const File& file, const Companions& companions, Context& context) {
    const std::optional<Model> model = modelAmong(companions, context);
    core::SampleBudget budget(context.limits);
    const Block block = decodeBlock(LittleEndianReader(file.bytes), bonesExpected(bonesOf(model), context), budget,
                                    context.diagnostics);
    return toJson(block, context.limits, context.diagnostics);
}

// ---------------------------------------------------------------------------------------------------------------------
// Models

constexpr std::array kModelExtensions = {"ff9model"sv};
constexpr std::array kModelOptions = {kScaleOption};

core::Asset loadModel(const File& file, const Companions&, Context& context) {
    core::Asset asset;
    asset.skeleton.emplace(
        toSkeleton(decodeModelHead(LittleEndianReader(file.bytes)), settingsFrom(context.options).scale));
    return asset;
}

Json dumpModel(const File& file, const Companions&, Context& context) {
    const Model model = decodeModel(LittleEndianReader(file.bytes), context.limits, context.diagnostics);
    const bool isWhole =
        std::none_of(model.groups.begin(), model.groups.end(), [](const Group& group) { return group.damaged; });
    if (isWhole && encodeModel(model) != file.bytes)
        context.diagnostics.note(core::Code::recomputed, {},
                                 "is not laid out as by the game's own tool: encoding rewrites it");
    return toJson(model, context.limits, context.diagnostics);
}

// ---------------------------------------------------------------------------------------------------------------------
// Containers

constexpr std::array kContainerExtensions = {"ff9db"sv, "ff9chunk"sv};

constexpr std::array kContainerOptions = {kRateOption, kScaleOption, kJointsOption, kModelOption};

bool holdsModel(const std::vector<Object>& objects) {
    return std::any_of(objects.begin(), objects.end(),
                       [](const Object& object) { return object.type == ObjectType::model && !object.damaged; });
}

/// Only a container without models needs one.
std::vector<Need> containerNeeds(const File& file) {
    try {
        core::Diagnostics ignored;
        if (holdsModel(readContainer(file.bytes, ignored)))
            return {};
    } catch (const core::DecodeError&) {  // reading it says so
    }
    return needsModel(file);
}

Contents contentsOf(const File& file, const Companions& companions, Context& context) {
    Contents contents{file.bytes, readContainer(file.bytes, context.diagnostics), file.name};
    contents.skeleton = modelAmong(companions, context);
    contents.model = context.options.text(kModelOption.key).value_or("");
    contents.joints = context.options.count("joints");
    contents.settings = settingsFrom(context.options);
    contents.limits = context.limits;
    return contents;
}

Json dumpContainer(const File& file, const Companions& companions, Context& context) {
    const Contents contents = contentsOf(file, companions, context);
    checkContents(contents, context.diagnostics);
    return toJson(contents.objects, context.diagnostics);
}

}  // namespace

extern const Format kAnimation = {
    .id = "ff9-animation",
    .label = "Final Fantasy IX (PlayStation) animation",
    .kind = Kind::animation,
    .extensions = kAnimationExtensions,
    .isUsualName = nullptr,
    .options = kAnimationOptions,
    .claim = [](core::Bytes bytes) { return claimIf(bytes, isAnimation, beginsLikeAnimation); },
    .needs = needsModel,
    .load = loadAnimation,
    .dump = dumpAnimation,
    .encode =
        [](const JsonReader& json, Context& context) {
            return encodeBlock(blockFromJson(json, context.limits, context.diagnostics), context.diagnostics);
        },
};

extern const Format kModel = {
    .id = "ff9-model",
    .label = "Final Fantasy IX (PlayStation) model",
    .kind = Kind::skeleton,
    .extensions = kModelExtensions,
    .isUsualName = nullptr,
    .options = kModelOptions,
    .claim = [](core::Bytes bytes) { return claimIf(bytes, isModel, beginsLikeModel); },
    .needs =
        [](const File& file) {
            return std::vector<Need>{{Role::animation, companionNames(file.name, "ff9anim")}};
        },
    .load = loadModel,
    .dump = dumpModel,
    .encode = [](const JsonReader& json,
                 Context& context) { return encodeModel(modelFromJson(json, context.diagnostics)); },
};

extern const Format kContainer = {
    .id = "ff9-container",
    .label = "Final Fantasy IX (PlayStation) DB or chunk",
    .kind = Kind::animation,
    .extensions = kContainerExtensions,
    .isUsualName = nullptr,
    .options = kContainerOptions,
    .claim = [](core::Bytes bytes) { return claimIf(bytes, isContainer, beginsLikeContainer); },
    .needs = containerNeeds,
    .load = [](const File& file, const Companions& companions,
               Context& context) { return toAsset(contentsOf(file, companions, context), context.diagnostics); },
    .dump = dumpContainer,
    .encode = nullptr,
    .models = [](const File& file, const Companions& companions,
                 Context& context) { return modelsOf(contentsOf(file, companions, context), context.diagnostics); },
};

}  // namespace reanima::ff9
