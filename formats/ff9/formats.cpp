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
constexpr OptionInfo kTexturesByOption{"textures-by",
                                       OptionInfo::Type::text,
                                       "WAY",
                                       "how each material finds its texture: vram: by position in texture memory; "
                                       "place: by place in the list, so that material N uses texture N",
                                       0,
                                       0,
                                       kPlacements};

constexpr std::array kAnimationOptions = {kRateOption,     kScaleOption,      kJointsOption,    kNoMeshOption,
                                          kLightingOption, kTexturesByOption, kHideGroupOption, kNamesByOption};

constexpr std::array kAnimationExtensions = {"ff9anim"sv};
constexpr std::array kModelExtensions = {"ff9model"sv};
constexpr auto needsModel = needsOfSameName<Role::skeleton, kModelExtensions>;

bool wantsMesh(const Context& context) { return !context.options.flag(kNoMeshOption.key); }

/// Reads the model. Leaves out its groups if no mesh is wanted.
Model readModel(core::Bytes bytes, Context& context) {
    const LittleEndianReader reader(bytes);
    return wantsMesh(context) ? decodeModel(reader, context.limits, context.diagnostics)
                              : Model{decodeModelHead(reader), {}};
}

std::optional<Model> modelAmong(const Companions& companions, Context& context) {
    return decodeCompanion(companions, Role::skeleton, context.diagnostics,
                           [&](core::Bytes bytes) { return readModel(bytes, context); });
}

std::uint32_t boneCountOf(const ModelHead& model) { return static_cast<std::uint32_t>(model.bones.size()); }

std::optional<std::uint32_t> bonesAmong(const Companions& companions, Context& context) {
    return decodeCompanion(companions, Role::skeleton, context.diagnostics,
                           [](core::Bytes bytes) { return boneCountOf(decodeModelHead(LittleEndianReader(bytes))); });
}

/// The groups to hide. Rejects numbers that a separate model file does not have.
std::set<std::uint32_t> hiddenGroupsOf(const Model& model, const Context& context) {
    std::set<std::uint32_t> hidden = context.options.counts(kHideGroupOption.key);
    if (!hidden.empty() && *hidden.rbegin() >= model.groups.size())
        throw core::DecodeError(fmt::format("contains no group {}: it has {} groups, counted from 0", *hidden.rbegin(),
                                            model.groups.size()));
    return hidden;
}

/// Adds the mesh of a model in a separate file.
/// @param siblings files beside the model
void addBodyOfFile(core::Asset& asset, const Model& model, const std::string& name, const Siblings& siblings,
                   const Companions& companions, Context& context) {
    if (!wantsMesh(context) || model.groups.empty())
        return;
    const Look look = lookBeside(lookOptionsFrom(companions, context), name, siblings, context);
    const BodySettings settings{std::string(stemOf(name)),
                                scaleFrom<ClipSettings>(context.options),
                                hiddenGroupsOf(model, context),
                                litOf(context.options).value_or(false),
                                {{"model", nullptr}, {"default_animation", nullptr}}};
    addBody(asset, model, look, settings, context.limits, context.diagnostics);
}

/// The character of a model, by the number in the file's name.
core::Called calledByFile(std::string_view fileName, const Context& context) {
    const std::optional<std::uint32_t> model = numberInName(fileName);
    core::Called called = model && namesByOf(context.options) == NamesBy::game ? calledByTable(*model) : core::Called();
    called.number = model;
    return called;
}

// ---------------------------------------------------------------------------------------------------------------------
// Animations

/// Records how clips are linked to a separate model file. Gives them the game's names if the file's number fits.
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

core::StoredSteps stepsFrom(const OptionValues& options) { return stepsOfAngles(scaleFrom<ClipSettings>(options)); }

/// An open animation, with the model beside it.
class OpenedAnimation final : public Opened {
  public:
    using Opened::Opened;

    [[nodiscard]] core::Asset asset(const std::string&, core::Diagnostics& diagnostics) override {
        const ClipSettings settings = rateAndScaleFrom<ClipSettings>(context().options);
        const std::optional<Model> model = modelAmong(companions(), context());
        (void)bones_.by([&] { return model ? std::optional(boneCountOf(*model)) : std::nullopt; });
        const Animation& animation = block(UnknownBones::refused).animation;
        core::Asset asset;
        asset.skeleton.emplace(model ? toSkeleton(*model, settings.scale)
                                     : madeUpSkeleton(animation.boneCount(), settings.scale));
        core::LargeSteps largeSteps;
        asset.clips.push_back(
            toClip(animation, std::string(stemOf(file().name)), asset.skeleton->joints.size(), settings, largeSteps));
        asset.clips.front().source = file().name;
        asset.clips.front().id = numberInName(file().name).value_or(0);
        largeSteps.report(diagnostics, kStepRemedy);
        if (model)
            addModel(asset, *model, diagnostics);
        return asset;
    }

    [[nodiscard]] Json dump() override {
        return toJson(block(UnknownBones::assumed), context().limits, context().diagnostics);
    }

    [[nodiscard]] core::Called called() override {
        const Companion* model = companion(Role::skeleton);
        return model == nullptr ? core::Called() : calledByFile(model->input.file.name, context());
    }

    [[nodiscard]] core::StoredSteps steps() override { return stepsFrom(context().options); }

    [[nodiscard]] EditedFile written(const core::Asset& original, std::span<const core::ClipEdit> edits,
                                     core::Diagnostics&) override {
        Block changed = block(UnknownBones::assumed);
        EditedFile result;
        for (const core::ClipEdit& edit : edits)
            changed.animation =
                edited(changed.animation, original, edit, scaleFrom<ClipSettings>(context().options), result.losses);
        core::Diagnostics unsaid;  // warnings about a layout that follows from the edits
        result.bytes = encodeBlock(changed, unsaid);
        return result;
    }

  private:
    const Block& block(UnknownBones unknown) {
        return block_.by([&] {
            const std::optional<std::uint32_t> bones = bones_.by([&] { return bonesAmong(companions(), context()); });
            core::SampleBudget budget(context().limits);
            return decodeBlock(LittleEndianReader(file().bytes), bonesExpected(bones, context()), budget,
                               context().diagnostics, unknown);
        });
    }

    /// Sets the character that the animation belongs to, and adds the mesh of the model.
    void addModel(core::Asset& asset, const Model& model, core::Diagnostics& diagnostics) {
        Context work = context().reporting(diagnostics);
        const Companion& beside = *companion(Role::skeleton);
        const std::string& name = beside.input.file.name;
        const auto about = diagnostics.about(beside.input.shownName());
        asset.called = calledByFile(name, work);
        linkClips(asset.clips, name, beside, work);
        addBodyOfFile(asset, model, name, beside.input.siblings, companions(), work);
    }

    Once<std::optional<std::uint32_t>> bones_;  // number of bones of the model
    Once<Block> block_;
};

core::ByteVector stillBlock(const NewClips&, const Companions& companions, Context& context) {
    const std::optional<std::uint32_t> bones = bonesAmong(companions, context);
    if (!bones)
        throw missingSkeleton();
    core::Diagnostics said;
    return encodeBlock({stillAnimation(*bones), {}}, said);
}

// ---------------------------------------------------------------------------------------------------------------------
// Models

constexpr std::array kModelOptions = {kScaleOption,      kNoMeshOption,    kLightingOption,
                                      kTexturesByOption, kHideGroupOption, kNamesByOption};

class OpenedModel final : public Opened {
  public:
    using Opened::Opened;

    [[nodiscard]] core::Asset asset(const std::string&, core::Diagnostics& diagnostics) override {
        Context work = context().reporting(diagnostics);
        const Model model = readModel(file().bytes, context());
        core::Asset asset;
        asset.skeleton.emplace(toSkeleton(model, scaleFrom<ClipSettings>(work.options)));
        asset.holdsSkeleton = true;
        asset.called = called();
        addBodyOfFile(asset, model, file().name, input().siblings, companions(), work);
        return asset;
    }

    [[nodiscard]] Json dump() override {
        core::Diagnostics& diagnostics = context().diagnostics;
        const Model model = decodeModel(LittleEndianReader(file().bytes), context().limits, diagnostics);
        const bool isWhole =
            std::none_of(model.groups.begin(), model.groups.end(), [](const Group& group) { return group.damaged; });
        if (isWhole && encodeModel(model) != file().bytes)
            diagnostics.warn(core::Code::recomputed, {},
                             "has an unusual layout; encoding changes it to the layout of the game's own tool");
        return toJson(model, context().limits, diagnostics);
    }

    [[nodiscard]] core::Called called() override { return calledByFile(file().name, context()); }
};

// ---------------------------------------------------------------------------------------------------------------------
// Containers

constexpr std::array kContainerExtensions = {"ff9db"sv, "ff9chunk"sv};

constexpr std::array kContainerOptions = {kRateOption,       kScaleOption,     kJointsOption,
                                          kModelOption,      kNoMeshOption,    kLightingOption,
                                          kTexturesByOption, kHideGroupOption, kNamesByOption};

std::optional<Input> modelIn(const File& file, std::string_view model) {
    try {
        core::Diagnostics ignored;
        core::UniqueNames names;  // gives models the same ids as ContainerModels
        for (const Object& object : readContainer(file.bytes, ignored)) {
            if (object.type != ObjectType::model || object.damaged || names.unique(std::to_string(object.id)) != model)
                continue;
            const core::Bytes bytes = core::Bytes(file.bytes).subspan(object.offset, object.size);
            File own;
            own.name = fmt::format("{}.ff9model", model);
            own.bytes.assign(bytes.begin(), bytes.end());
            return Input(std::move(own), {}, &kModel, fmt::format("{} of {}", model, file.name));
        }
    } catch (const core::DecodeError&) {  // reading the file reports the reason
    }
    return std::nullopt;
}

bool holdsModel(const std::vector<Object>& objects) {
    return std::any_of(objects.begin(), objects.end(),
                       [](const Object& object) { return object.type == ObjectType::model && !object.damaged; });
}

/// Only a container without models needs a model.
std::vector<Need> containerNeeds(const File& file) {
    try {
        core::Diagnostics ignored;
        if (holdsModel(readContainer(file.bytes, ignored)))
            return {};
    } catch (const core::DecodeError&) {  // reading the file reports the reason
    }
    return needsModel(file);
}

Contents contentsOf(const File& file, const Companions& companions, Context& context) {
    Contents contents{file.bytes, readContainer(file.bytes, context.diagnostics), file.name};
    contents.skeleton = modelAmong(companions, context);
    contents.joints = context.options.count("joints");
    contents.settings = rateAndScaleFrom<ClipSettings>(context.options);
    contents.limits = context.limits;
    contents.namesBy = namesByOf(context.options);
    contents.enemies = enemyNamesIn(context.options.text(kOwnNameKey).value_or(""));
    contents.hiddenGroups = context.options.counts(kHideGroupOption.key);
    contents.lit = litOf(context.options).value_or(false);
    return contents;
}

/// Adds the materials and textures of the model.
void addLook(Contents& contents, const Companions& companions, Context& context) {
    contents.look = lookOptionsFrom(companions, context);
    if (contents.skeleton) {
        const Input& beside = companions.find(Role::skeleton)->second.input;
        contents.skeletonStem = std::string(stemOf(beside.file.name));
        contents.skeletonLook = lookBeside(contents.look, beside.file.name, beside.siblings, context);
    }
}

/// The animations in file order. Clip::index is the position in this list.
std::vector<Object> animationsAmong(std::vector<Object> objects) {
    std::erase_if(objects, [](const Object& object) { return object.type != ObjectType::animation; });
    return objects;
}

/// An open container, with the model beside it if it contains none.
class OpenedContainer final : public Opened {
  public:
    using Opened::Opened;

    [[nodiscard]] core::Asset asset(const std::string& model, core::Diagnostics& diagnostics) override {
        examine();
        dress();
        tell(diagnostics);
        return toAsset(*contents_, own_.get(), model, diagnostics);
    }

    [[nodiscard]] Json dump() override {
        examine();
        dress();
        tell(context().diagnostics);
        checkContents(*contents_, own_.get(), context().diagnostics);
        return toJson(contents_->objects, context().diagnostics);
    }

    [[nodiscard]] std::vector<ModelSummary> models() override {
        examine();
        return modelsOf(*contents_, own_.get());
    }

    [[nodiscard]] std::vector<ClipElsewhere> clipsElsewhere() override {
        examine();
        tell(context().diagnostics);
        return ff9::clipsElsewhere(*contents_, own_.get(), context().diagnostics);
    }

    [[nodiscard]] core::StoredSteps steps() override { return stepsFrom(context().options); }

    [[nodiscard]] EditedFile written(const core::Asset& original, std::span<const core::ClipEdit> edits,
                                     core::Diagnostics&) override {
        examine();
        const double scale = scaleFrom<ClipSettings>(context().options);
        core::SampleBudget budget(context().limits);
        core::Diagnostics unsaid;  // warnings that asset() already gave, and those about changed layouts
        EditedFile result;
        result.bytes = file().bytes;
        std::vector<Object> animations = animationsAmong(contents_->objects);
        for (const core::ClipEdit& edit : edits) {
            const Object object = animations.at(original.clips[edit.clip].index);
            const LittleEndianReader reader = readerOf(object, result.bytes);
            Block block = decodeBlock(reader, bonesOf(reader, original), budget, unsaid, UnknownBones::assumed);
            block.animation = edited(block.animation, original, edit, scale, result.losses);
            result.bytes = withObject(result.bytes, object, encodeBlock(block, unsaid));
            animations = animationsAmong(readContainer(result.bytes, unsaid));  // their offsets may have changed
        }
        return result;
    }

  private:
    /// Reads the tables; tell() reports their warnings.
    void examine() {
        if (contents_)
            return;
        const auto about = doubts_.about(context().diagnostics.file());
        Context quiet = context().reporting(doubts_);
        contents_.emplace(contentsOf(file(), companions(), quiet));
        own_ = ownModels(*contents_, doubts_);
    }

    /// Finds the look if meshes are requested.
    void dress() {
        contents_->withMesh = wantsMesh(context());
        if (!contents_->withMesh || std::exchange(hasLook_, true))
            return;
        const auto about = doubts_.about(context().diagnostics.file());
        Context quiet = context().reporting(doubts_);
        addLook(*contents_, companions(), quiet);
    }

    void tell(core::Diagnostics& diagnostics) {
        const core::Diagnostics told = std::exchange(doubts_, {});
        for (const core::Warning& warning : told.warnings())
            diagnostics.add(warning);
    }

    [[nodiscard]] std::uint32_t bonesOf(const LittleEndianReader& block, const core::Asset& original) {
        const auto known = contents_->skeleton ? std::optional(boneCountOf(*contents_->skeleton)) : std::nullopt;
        if (const std::optional<std::uint32_t> bones = bonesExpected(known, context()))
            return *bones;
        return examineBlock(block, static_cast<std::uint32_t>(original.skeleton->joints.size())).bones;
    }

    std::optional<Contents> contents_;
    std::unique_ptr<const ContainerModels> own_;  // null if a skeleton replaces them
    core::Diagnostics doubts_;
    bool hasLook_ = false;
};

}  // namespace

extern const Format kAnimation = {
    .id = "ff9-animation",
    .label = "Final Fantasy IX (PlayStation) animation",
    .kind = Kind::animation,
    .extensions = kAnimationExtensions,
    .options = kAnimationOptions,
    .traits = {.isWrittenFromPoses = true, .tellsCharacter = true},
    .isWhole = isAnimation,
    .beginsLike = beginsLikeAnimation,
    .needs = needsModel,
    .open = openAs<OpenedAnimation>,
    .encode = encodeBy<blockFromJson, encodeBlock>,
    .still = stillBlock,
};

extern const Format kModel = {
    .id = "ff9-model",
    .label = "Final Fantasy IX (PlayStation) model",
    .kind = Kind::skeleton,
    .extensions = kModelExtensions,
    .options = kModelOptions,
    .traits = {.tellsCharacter = true},
    .isWhole = isModel,
    .beginsLike = beginsLikeModel,
    .needs = needsOfSameName<Role::animation, kAnimationExtensions>,
    .open = openAs<OpenedModel>,
    .encode = encodeBy<modelFromJson, encodeModel>,
};

extern const Format kContainer = {
    .id = "ff9-container",
    .label = "Final Fantasy IX (PlayStation) DB or chunk",
    .kind = Kind::animation,
    .extensions = kContainerExtensions,
    .options = kContainerOptions,
    .traits = {.isWrittenFromPoses = true, .holdsModels = true},
    .isWhole = isContainer,
    .beginsLike = beginsLikeContainer,
    .needs = containerNeeds,
    .open = openAs<OpenedContainer>,
    .encode = nullptr,
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
