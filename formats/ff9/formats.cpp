#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "core/text.h"
#include "formats/angle_edits.h"
#include "formats/character_links.h"
#include "formats/common_options.h"
#include "formats/ff9/animation.h"
#include "formats/ff9/body.h"
#include "formats/ff9/clips.h"
#include "formats/ff9/container_clips.h"
#include "formats/ff9/edits.h"
#include "formats/ff9/found_look.h"
#include "formats/ff9/model.h"
#include "formats/ff9/names.h"
#include "formats/ff9/native_json.h"
#include "formats/own_names.h"
#include "formats/row_functions.h"

namespace reanima::ff9 {

extern const Format kModel;

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

constexpr std::array kAnimationOptions = {kRateOption,       kScaleOption,     kJointsOption, kNoMeshOption,
                                          kTexturesByOption, kHideGroupOption, kNamesByOption};

constexpr std::array kAnimationExtensions = {"ff9anim"sv};
constexpr std::array kModelExtensions = {"ff9model"sv};
constexpr auto needsModel = needsOfSameName<Role::skeleton, kModelExtensions>;

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

/// Who a model is that is called after its number.
core::Called calledByFile(std::string_view fileName, const Context& context) {
    const std::optional<std::uint32_t> model = numberInName(fileName);
    core::Called called = model && namesByOf(context.options) == NamesBy::game ? calledByTable(*model) : core::Called();
    called.number = model;
    return called;
}

// ---------------------------------------------------------------------------------------------------------------------
// Animations

/// Says how clips belong to a model that is a file of its own, and names them where its number tells that they do.
void linkClips(std::vector<core::Clip>& clips, std::string_view modelFile, const Companion& companion,
               const Context& context) {
    const std::optional<std::uint32_t> model = numberInName(modelFile);
    for (core::Clip& clip : clips)
        if (model && belongByName(*model, clip.id) == true)
            clip.linkedBy = core::LinkedBy::name;
        else if (companion.given)
            clip.linkedBy = core::LinkedBy::given;
    if (model && namesByOf(context.options) == NamesBy::game)
        nameClips(clips, *model);
}

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
    asset.clips.front().id = numberInName(file.name).value_or(0);
    largeSteps.report(context.diagnostics, kStepRemedy);
    if (model) {
        const Companion& companion = companions.find(Role::skeleton)->second;
        const Input& beside = companion.input;
        const auto about = context.diagnostics.about(beside.shownName());
        asset.called = calledByFile(beside.file.name, context);
        linkClips(asset.clips, beside.file.name, companion, context);
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

EditedFile animationFromAsset(const File& file, const Companions& companions, const core::Asset& original,
                              std::span<const core::ClipEdit> edits, Context& context) {
    core::SampleBudget budget(context.limits);
    core::Diagnostics said;  // by loading it
    Block block = decodeBlock(LittleEndianReader(file.bytes), bonesExpected(bonesAmong(companions, context), context),
                              budget, said);
    EditedFile result;
    for (const core::ClipEdit& edit : edits)
        block.animation =
            edited(block.animation, original, edit, scaleFrom<ClipSettings>(context.options), result.losses);
    result.bytes = encodeBlock(block, said);
    return result;
}

core::ByteVector stillBlock(const NewClips&, const Companions& companions, Context& context) {
    const std::optional<std::uint32_t> bones = bonesAmong(companions, context);
    if (!bones)
        throw missingSkeleton();
    core::Diagnostics said;
    return encodeBlock({stillAnimation(*bones), {}}, said);
}

core::StoredSteps storedSteps(const File&, const Companions&, Context& context) {
    return stepsOfAngles(scaleFrom<ClipSettings>(context.options));
}

// ---------------------------------------------------------------------------------------------------------------------
// Models

constexpr std::array kModelOptions = {kScaleOption, kNoMeshOption, kTexturesByOption, kHideGroupOption, kNamesByOption};

core::Asset loadModel(const File& file, const Companions& companions, Context& context) {
    const Model model = readModel(file.bytes, context);
    core::Asset asset;
    asset.skeleton.emplace(toSkeleton(model, scaleFrom<ClipSettings>(context.options)));
    asset.holdsSkeleton = true;
    asset.called = calledByFile(file.name, context);
    addBodyOfFile(asset, model, file.name, context.siblings != nullptr ? *context.siblings : Siblings(), companions,
                  context);
    return asset;
}

Json dumpModel(const File& file, const Companions&, Context& context) {
    const Model model = decodeModel(LittleEndianReader(file.bytes), context.limits, context.diagnostics);
    const bool isWhole =
        std::none_of(model.groups.begin(), model.groups.end(), [](const Group& group) { return group.damaged; });
    if (isWhole && encodeModel(model) != file.bytes)
        context.diagnostics.warn(core::Code::recomputed, {},
                                 "is not laid out as by the game's own tool: encoding rewrites it");
    return toJson(model, context.limits, context.diagnostics);
}

// ---------------------------------------------------------------------------------------------------------------------
// Containers

constexpr std::array kContainerExtensions = {"ff9db"sv, "ff9chunk"sv};

constexpr std::array kContainerOptions = {kRateOption,   kScaleOption,      kJointsOption,    kModelOption,
                                          kNoMeshOption, kTexturesByOption, kHideGroupOption, kNamesByOption};

std::optional<Input> modelIn(const File& file, std::string_view model) {
    try {
        core::Diagnostics ignored;
        core::UniqueNames names;  // as ContainerModels gives them
        for (const Object& object : readContainer(file.bytes, ignored)) {
            if (object.type != ObjectType::model || object.damaged || names.unique(std::to_string(object.id)) != model)
                continue;
            const core::Bytes bytes = core::Bytes(file.bytes).subspan(object.offset, object.size);
            File own;
            own.name = fmt::format("{}.ff9model", model);
            own.bytes.assign(bytes.begin(), bytes.end());
            return Input(std::move(own), {}, &kModel, fmt::format("{} of {}", model, file.name));
        }
    } catch (const core::DecodeError&) {  // reading the file says so
    }
    return std::nullopt;
}

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
    contents.namesBy = namesByOf(context.options);
    contents.enemies = enemyNamesIn(context.options.text(kOwnNameKey).value_or(""));
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

/// The animations in file order, as the clips' indices count them.
std::vector<Object> animationsIn(core::Bytes file) {
    core::Diagnostics ignored;  // loading it says so
    std::vector<Object> objects = readContainer(file, ignored);
    std::erase_if(objects, [](const Object& object) { return object.type != ObjectType::animation; });
    return objects;
}

EditedFile containerFromAsset(const File& file, const Companions& companions, const core::Asset& original,
                              std::span<const core::ClipEdit> edits, Context& context) {
    const std::optional<std::uint32_t> bones = bonesAmong(companions, context);
    const auto joints = static_cast<std::uint32_t>(original.skeleton->joints.size());
    core::SampleBudget budget(context.limits);
    core::Diagnostics said;  // by loading it
    EditedFile result;
    result.bytes = file.bytes;
    for (const core::ClipEdit& edit : edits) {
        const Object object = animationsIn(result.bytes).at(original.clips[edit.clip].index);
        const LittleEndianReader reader = readerOf(object, result.bytes);
        std::optional<std::uint32_t> own = bonesExpected(bones, context);
        if (!own)
            own = examineBlock(reader, joints).bones;
        Block block = decodeBlock(reader, own, budget, said);
        block.animation =
            edited(block.animation, original, edit, scaleFrom<ClipSettings>(context.options), result.losses);
        result.bytes = withObject(result.bytes, object, encodeBlock(block, said));
    }
    return result;
}

}  // namespace

extern const Format kAnimation = {
    .id = "ff9-animation",
    .label = "Final Fantasy IX (PlayStation) animation",
    .kind = Kind::animation,
    .extensions = kAnimationExtensions,
    .options = kAnimationOptions,
    .isWhole = isAnimation,
    .beginsLike = beginsLikeAnimation,
    .needs = needsModel,
    .load = loadAnimation,
    .dump = dumpAnimation,
    .encode = encodeBy<blockFromJson, encodeBlock>,
    .storedSteps = storedSteps,
    .fromAsset = animationFromAsset,
    .still = stillBlock,
    .readParts = readAnimationParts,
    .called =
        [](const File&, const Companions& companions, Context& context) {
            const auto model = companions.find(Role::skeleton);
            return model == companions.end() ? core::Called() : calledByFile(model->second.input.file.name, context);
        },
};

extern const Format kModel = {
    .id = "ff9-model",
    .label = "Final Fantasy IX (PlayStation) model",
    .kind = Kind::skeleton,
    .extensions = kModelExtensions,
    .options = kModelOptions,
    .isWhole = isModel,
    .beginsLike = beginsLikeModel,
    .needs = needsOfSameName<Role::animation, kAnimationExtensions>,
    .load = loadModel,
    .dump = dumpModel,
    .encode = encodeBy<modelFromJson, encodeModel>,
    .readParts = readModelParts,
    .called = [](const File& file, const Companions&, Context& context) { return calledByFile(file.name, context); },
};

extern const Format kContainer = {
    .id = "ff9-container",
    .label = "Final Fantasy IX (PlayStation) DB or chunk",
    .kind = Kind::animation,
    .extensions = kContainerExtensions,
    .options = kContainerOptions,
    .isWhole = isContainer,
    .beginsLike = beginsLikeContainer,
    .needs = containerNeeds,
    .load = [](const File& file, const Companions& companions,
               Context& context) { return toAsset(contentsOf(file, companions, context), context.diagnostics); },
    .dump = dumpContainer,
    .encode = nullptr,
    .storedSteps = storedSteps,
    .fromAsset = containerFromAsset,
    .models = [](const File& file, const Companions& companions,
                 Context& context) { return modelsOf(contentsOf(file, companions, context), context.diagnostics); },
    .clipsElsewhere =
        [](const File& file, const Companions& companions, Context& context) {
            return clipsElsewhere(contentsOf(file, companions, context), context.diagnostics);
        },
};

extern const CharacterLinks kLinks = {
    .animations = kAnimation,
    .characters = kContainer,
    .skeletonIn = modelIn,
    .belongs = [](std::string_view character, std::string_view animation) -> std::optional<bool> {
        const std::optional<std::uint32_t> model = numberInName(character);
        const std::optional<std::uint32_t> number = numberInName(animation);
        return model && number ? belongByName(*model, *number) : std::nullopt;
    },
};

}  // namespace reanima::ff9
