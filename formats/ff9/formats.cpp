#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "formats/common_options.h"
#include "formats/ff9/animation.h"
#include "formats/ff9/body.h"
#include "formats/ff9/clips.h"
#include "formats/ff9/container_clips.h"
#include "formats/ff9/found_look.h"
#include "formats/ff9/model.h"
#include "formats/ff9/native_json.h"
#include "formats/format.h"

namespace reanima::ff9 {

namespace {

using namespace std::string_view_literals;
using core::LittleEndianReader;

constexpr std::array kPlacements = {"vram"sv, "place"sv};
constexpr OptionInfo kTexturesByOption{
    "textures-by",
    OptionInfo::Type::text,
    "WAY",
    "which texture belongs to a material: by its place in texture memory, or the one of the same number",
    0,
    0,
    kPlacements};

constexpr std::array kAnimationOptions = {kRateOption,   kScaleOption,      kJointsOption,
                                          kNoMeshOption, kTexturesByOption, kHideGroupOption};

std::vector<Need> needsModel(const File& file) { return {{Role::skeleton, companionNames(file.name, "ff9model")}}; }

bool wantsMesh(const Context& context) { return !context.options.flag(kNoMeshOption.key); }

/// The model, without its groups if no mesh is wanted.
Model readModel(core::Bytes bytes, Context& context) {
    const LittleEndianReader reader(bytes);
    return wantsMesh(context) ? decodeModel(reader, context.limits, context.diagnostics)
                              : Model{decodeModelHead(reader), {}};
}

std::optional<Model> modelAmong(const Companions& companions, Context& context) {
    return decodeCompanion(companions, Role::skeleton, context.diagnostics,
                           [&](core::Bytes bytes) { return readModel(bytes, context); });
}

std::optional<std::uint32_t> bonesAmong(const Companions& companions, Context& context) {
    return decodeCompanion(companions, Role::skeleton, context.diagnostics, [](core::Bytes bytes) {
        return static_cast<std::uint32_t>(decodeModelHead(LittleEndianReader(bytes)).bones.size());
    });
}

/// Refuses hidden groups that a model which is a file of its own has not.
std::set<std::uint32_t> hiddenGroupsOf(const Model& model, const Context& context) {
    std::set<std::uint32_t> hidden = context.options.counts(kHideGroupOption.key);
    if (!hidden.empty() && *hidden.rbegin() >= model.groups.size())
        throw core::DecodeError(fmt::format("holds no group {}, but {}", *hidden.rbegin(), model.groups.size()));
    return hidden;
}

/// Adds the mesh of a model that is a file of its own.
/// @param siblings of the model
void addBodyOfFile(core::Asset& asset, const Model& model, const std::string& name, const Siblings& siblings,
                   const Companions& companions, Context& context) {
    if (!wantsMesh(context) || model.groups.empty())
        return;
    const Look look = lookBeside(lookOptionsFrom(companions, context), name, siblings, context);
    const BodySettings settings{std::string(stemOf(name)),
                                scaleFrom<ClipSettings>(context.options),
                                hiddenGroupsOf(model, context),
                                {{"model", nullptr}, {"default_animation", nullptr}}};
    addBody(asset, model, look, settings, context.limits, context.diagnostics);
}

/// Reads what a model that is a file of its own looks like, as converting it will.
void readLookBeside(const std::string& name, const Siblings& siblings, const Companions& companions, Context& context) {
    if (wantsMesh(context))
        (void)lookBeside(lookOptionsFrom(companions, context), name, siblings, context);
}

void readAnimationParts(const File&, const Companions& companions, Context& context) {
    const auto model = companions.find(Role::skeleton);
    if (model != companions.end())
        readLookBeside(model->second.input.file.name, model->second.input.siblings, companions, context);
}

void readModelParts(const File& file, const Companions& companions, Context& context) {
    readLookBeside(file.name, context.siblings != nullptr ? *context.siblings : Siblings(), companions, context);
}

// ---------------------------------------------------------------------------------------------------------------------
// Animations

constexpr std::array kAnimationExtensions = {"ff9anim"sv};

core::Asset loadAnimation(const File& file, const Companions& companions, Context& context) {
    const ClipSettings settings = rateAndScaleFrom<ClipSettings>(context.options);
    const std::optional<Model> model = modelAmong(companions, context);
    core::SampleBudget budget(context.limits);
    const auto bones = model ? std::optional(static_cast<std::uint32_t>(model->bones.size())) : std::nullopt;
    const Animation animation =
        decodeAnimation(LittleEndianReader(file.bytes), bonesExpected(bones, context), budget, context.diagnostics);
    core::Asset asset;
    asset.skeleton.emplace(model ? toSkeleton(*model, settings.scale)
                                 : madeUpSkeleton(animation.boneCount(), settings.scale));
    core::LargeSteps largeSteps;
    asset.clips.push_back(
        toClip(animation, std::string(stemOf(file.name)), asset.skeleton->joints.size(), settings, largeSteps));
    asset.clips.front().source = file.name;
    largeSteps.report(context.diagnostics, kStepRemedy);
    if (model) {
        const Input& beside = companions.find(Role::skeleton)->second.input;
        const auto about = context.diagnostics.about(beside.shownName());
        addBodyOfFile(asset, *model, beside.file.name, beside.siblings, companions, context);
    }
    return asset;
}

Json dumpAnimation(const File& file, const Companions& companions, Context& context) {
    core::SampleBudget budget(context.limits);
    const Block block =
        decodeBlock(LittleEndianReader(file.bytes), bonesExpected(bonesAmong(companions, context), context), budget,
                    context.diagnostics);
    return toJson(block, context.limits, context.diagnostics);
}

// ---------------------------------------------------------------------------------------------------------------------
// Models

constexpr std::array kModelExtensions = {"ff9model"sv};
constexpr std::array kModelOptions = {kScaleOption, kNoMeshOption, kTexturesByOption, kHideGroupOption};

core::Asset loadModel(const File& file, const Companions& companions, Context& context) {
    const Model model = readModel(file.bytes, context);
    core::Asset asset;
    asset.skeleton.emplace(toSkeleton(model, scaleFrom<ClipSettings>(context.options)));
    asset.holdsSkeleton = true;
    addBodyOfFile(asset, model, file.name, context.siblings != nullptr ? *context.siblings : Siblings(), companions,
                  context);
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

constexpr std::array kContainerOptions = {kRateOption,   kScaleOption,      kJointsOption,   kModelOption,
                                          kNoMeshOption, kTexturesByOption, kHideGroupOption};

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
    contents.settings = rateAndScaleFrom<ClipSettings>(context.options);
    contents.limits = context.limits;
    contents.withMesh = wantsMesh(context);
    contents.hiddenGroups = context.options.counts(kHideGroupOption.key);
    if (!contents.withMesh)
        return contents;
    contents.look = lookOptionsFrom(companions, context);
    if (contents.skeleton) {
        const Input& beside = companions.find(Role::skeleton)->second.input;
        contents.skeletonStem = std::string(stemOf(beside.file.name));
        contents.skeletonLook = lookBeside(contents.look, beside.file.name, beside.siblings, context);
    }
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
    .isWhole = isAnimation,
    .beginsLike = beginsLikeAnimation,
    .needs = needsModel,
    .load = loadAnimation,
    .dump = dumpAnimation,
    .encode =
        [](const JsonReader& json, Context& context) {
            return encodeBlock(blockFromJson(json, context.limits, context.diagnostics), context.diagnostics);
        },
    .readParts = readAnimationParts,
};

extern const Format kModel = {
    .id = "ff9-model",
    .label = "Final Fantasy IX (PlayStation) model",
    .kind = Kind::skeleton,
    .extensions = kModelExtensions,
    .isUsualName = nullptr,
    .options = kModelOptions,
    .isWhole = isModel,
    .beginsLike = beginsLikeModel,
    .needs =
        [](const File& file) {
            return std::vector<Need>{{Role::animation, companionNames(file.name, "ff9anim")}};
        },
    .load = loadModel,
    .dump = dumpModel,
    .encode = [](const JsonReader& json,
                 Context& context) { return encodeModel(modelFromJson(json, context.diagnostics)); },
    .readParts = readModelParts,
};

extern const Format kContainer = {
    .id = "ff9-container",
    .label = "Final Fantasy IX (PlayStation) DB or chunk",
    .kind = Kind::animation,
    .extensions = kContainerExtensions,
    .isUsualName = nullptr,
    .options = kContainerOptions,
    .isWhole = isContainer,
    .beginsLike = beginsLikeContainer,
    .needs = containerNeeds,
    .load = [](const File& file, const Companions& companions,
               Context& context) { return toAsset(contentsOf(file, companions, context), context.diagnostics); },
    .dump = dumpContainer,
    .encode = nullptr,
    .models = [](const File& file, const Companions& companions,
                 Context& context) { return modelsOf(contentsOf(file, companions, context), context.diagnostics); },
};

}  // namespace reanima::ff9
