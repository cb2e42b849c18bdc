#include "formats/load.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/decode_watch.h"
#include "core/edit.h"
#include "core/memory.h"
#include "core/text.h"
#include "core/weld.h"
#include "formats/character_links.h"
#include "formats/common_options.h"
#include "formats/dump.h"
#include "formats/foreign_files.h"
#include "formats/format.h"
#include "formats/naming.h"
#include "formats/open_file.h"
#include "formats/registry.h"
#include "formats/retime.h"

namespace reanima {

namespace {

using core::DecodeError;

bool isUsualName(const Format& format, std::string_view name) {
    const std::string extension = extensionOf(name);
    const bool hasExtension = std::ranges::find(format.extensions, extension) != format.extensions.end();
    return (hasExtension && !format.traits.sharesExtensions) ||
           (format.isUsualName != nullptr && format.isUsualName(name));
}

/// How likely a file has a format: content that fits to the last byte decides; a name that fits tells more than content
/// that only begins like it.
enum Rank { kNothing, kBeginning, kName, kNamedBeginning, kWhole, kNamedWhole };

std::vector<Need> needsOf(const Format& format, const File& file) {
    return format.needs != nullptr ? format.needs(file) : std::vector<Need>{};
}

bool beginsLike(const Format& format, core::Bytes bytes) {
    return format.beginsLike != nullptr && format.beginsLike(bytes);
}

/// What the whole file may become when it is decoded.
std::uint64_t memoryToDecode(const Format& format, const File& file) {
    return std::uint64_t{format.memoryPerByte} * file.bytes.size();
}

/// @param least lower ranks are not told apart
Rank rankOf(const Format& format, const Input& input, Rank least) {
    const core::Unwatched recognising;
    const File& file = input.file;
    const bool named = isUsualName(format, file.name);
    if ((named ? kNamedWhole : kWhole) >= least && hasRoomFor(format, input) && format.isWhole(file.bytes))
        return named ? kNamedWhole : kWhole;
    if ((named ? kNamedBeginning : kBeginning) >= least && beginsLike(format, file.bytes))
        return named ? kNamedBeginning : kBeginning;
    return named ? kName : kNothing;
}

/// What the file is if it holds nothing to convert.
const OtherFile* otherFileLike(const File& file) {
    for (const Format* format : formats())
        for (const OtherFile& other : format->others)
            if (other.matches(file.bytes, file.name))
                return &other;
    return nullptr;
}

[[noreturn]] void refuse(const Input& input) {
    std::string problem = input.file.bytes.empty() ? "is empty" : "is not a file of a known format";
    if (const OtherFile* other = otherFileLike(input.file)) {
        const std::string advice = other->advice(input.file.name);
        problem = fmt::format("is {}{}{}", other->label, advice.empty() ? "" : "; ", advice);
    } else if (const std::optional<ForeignFile> foreign = foreignFile(input.file.bytes)) {
        throw foreign->asError().inFile(input.shownName());
    } else if (std::ranges::any_of(formats(), [&](const Format* format) { return !hasRoomFor(*format, input); })) {
        throw DecodeError({}, "is too large to be recognised by what it holds", DecodeError::Kind::limit)
            .withHint({"limit-memory", "MIB"})
            .inFile(input.shownName());
    }
    throw DecodeError(problem).inFile(input.shownName());
}

}  // namespace

const Format* findFormat(const Input& input) {
    if (input.format != nullptr)
        return input.format;
    if (isMemoriaAnimation(input.file.bytes, input.file.name))
        return nullptr;  // though its name is as usual in a game
    // Names first: where one fits, most formats need not look at the content.
    std::vector<const Format*> inTurn(formats().begin(), formats().end());
    std::stable_partition(inTurn.begin(), inTurn.end(),
                          [&](const Format* format) { return isUsualName(*format, input.file.name); });
    const Format* best = nullptr;
    Rank bestRank = kNothing;
    for (const Format* format : inTurn) {
        const Rank rank = rankOf(*format, input, Rank(bestRank + 1));
        if (rank > bestRank) {
            best = format;
            bestRank = rank;
        }
    }
    return bestRank < kNamedBeginning && otherFileLike(input.file) != nullptr ? nullptr : best;
}

bool hasRoomFor(const Format& format, const Input& input) {
    return memoryToDecode(format, input.file) <= input.memoryLeft;
}

bool beginsLikeAnyFormat(core::Bytes head) {
    return std::ranges::any_of(
        formats(), [&](const Format* format) { return format->isWhole(head) || beginsLike(*format, head); });
}

const Format& formatOf(const Input& input) {
    const Format* format = findFormat(input);
    if (format == nullptr)
        refuse(input);
    return *format;
}

namespace {

/// The first of some files that lies beside an input. One that has exactly its name takes precedence over those whose
/// names differ in upper and lower case.
std::optional<File> companionOf(const Input& input, const std::vector<std::string>& names) {
    std::optional<File> alike;
    for (const std::string& name : names) {
        if (lowerCase(name) == lowerCase(input.file.name))  // under a companion's name
            continue;
        std::optional<File> file = input.siblings.companion(name, input.file.name);
        if (file && file->name == name)
            return file;
        if (file && !alike)
            alike = std::move(file);
    }
    return alike;
}

}  // namespace

Companions withFoundCompanions(const Input& input, const Companions& given) {
    const Format& format = formatOf(input);
    const auto skeleton = given.find(Role::skeleton);
    if (format.kind == Kind::animation && skeleton != given.end()) {
        const Format& skeletonFormat = formatOf(skeleton->second.input);
        if (skeletonFormat.game() != format.game())
            throw DecodeError(fmt::format("its skeleton can't be {}, which belongs to another game ({}); "
                                          "only a conversion can bind to it",
                                          skeleton->second.input.shownName(), skeletonFormat.label))
                .inFile(input.shownName());
        if (!format.skeleton.empty() && skeletonFormat.id != format.skeleton)
            throw DecodeError(
                {}, fmt::format("is {}, expected {}", skeletonFormat.label, formatNamed(format.skeleton)->label),
                DecodeError::Kind::skeletonMismatch)
                .inFile(skeleton->second.input.shownName());
    }
    Companions companions = given;
    if (!input.siblings || !hasRoomFor(format, input))  // what reads it then says so
        return companions;
    const std::string folder(input.folder());
    for (const Need& need : needsOf(format, input.file)) {
        if (companions.contains(need.role))
            continue;
        if (std::optional<File> file = companionOf(input, need.names)) {
            std::string shown = folder + file->name;
            companions.emplace(need.role,
                               Companion{{std::move(*file), input.siblings, nullptr, std::move(shown)}, false});
        }
    }
    return companions;
}

namespace {

/// The options of a format, each of its type and within its bounds; the input's place may tell the rate.
OptionValues checkedOptions(const Format& format, const Input& input, const OptionValues& said) {
    OptionValues checked = said;
    for (const auto& [key, value] : input.file.told)
        if (!said.has(key))
            std::visit([&, name = key](const auto& told) { checked.set(name, told); }, value);
    for (const OptionInfo& option : format.options) {
        const auto value = said.all().find(option.key);
        if (value == said.all().end())
            continue;
        const auto set = [&](const auto& written) { return setOption(checked, option, written); };
        if (const auto problem = std::visit(set, value->second))
            throw DecodeError({"option " + std::string(option.key), std::nullopt}, *problem);
    }
    return checked;
}

void requireMemoryFor(const core::Asset& asset, const core::Limits& limits) {
    const std::uint64_t joints = !asset.skeleton ? 0 : asset.skeleton->joints.size();
    core::requireMemory(core::memoryOf(asset), limits,
                        {fmt::format("{} clips of {} joints", asset.clips.size(), joints), std::nullopt});
}

/// Leaves out what has no triangle.
void shareVertices(std::vector<core::Mesh>& meshes) {
    for (core::Mesh& mesh : meshes) {
        std::erase_if(mesh.primitives, [](const core::Primitive& primitive) { return primitive.indices.empty(); });
        for (core::Primitive& primitive : mesh.primitives)
            primitive = core::withSharedVertices(primitive);
    }
    std::erase_if(meshes, [](const core::Mesh& mesh) { return mesh.primitives.empty(); });
}

void moveTo(const std::vector<std::uint32_t>& joints, core::Primitive& primitive) {
    for (std::uint32_t& joint : primitive.joints)
        joint = joints[joint];
    for (core::Influences& others : primitive.others)
        for (core::Influence& other : others)
            other.joint = joints[other.joint];
}

/// Puts vertices on the joints that take them from their parents.
void giveVertices(core::Asset& asset) {
    if (!asset.skeleton || asset.meshes.empty())
        return;
    const std::vector<core::Joint>& joints = asset.skeleton->joints;
    std::vector<std::uint32_t> takers(joints.size());
    std::iota(takers.begin(), takers.end(), 0U);
    for (std::uint32_t joint = 0; joint < joints.size(); ++joint)
        if (joints[joint].takesVertices && joints[joint].parent != core::kNoParent)
            takers[static_cast<std::size_t>(joints[joint].parent)] = joint;
    for (core::Mesh& mesh : asset.meshes)
        for (core::Primitive& primitive : mesh.primitives)
            moveTo(takers, primitive);
}

/// Which of several models becomes the asset.
struct ModelChoice {
    std::string id;                  ///< empty: the file has none of its own
    std::vector<std::string> among;  ///< all that would be converted, if they are several
};

/// @throws DecodeError if the options name none of the models
ModelChoice chooseModel(const std::vector<ModelSummary>& models, const OptionValues& options,
                        core::Diagnostics& diagnostics) {
    if (models.empty())
        return {};
    const std::vector<ModelSummary> converted = convertedModels(models);
    ModelChoice choice;
    if (converted.size() > 1)
        for (const ModelSummary& model : converted)
            choice.among.push_back(model.id);
    if (const std::optional<std::string> wanted = options.text(kModelOption.key)) {
        const ModelSummary* model = modelCalled(models, *wanted);
        if (model == nullptr)
            throw DecodeError(fmt::format("holds no model {}, but {}", *wanted, listed(models)));
        choice.id = model->id;
        return choice;
    }
    const auto withClips = std::ranges::find_if(converted, [](const ModelSummary& model) { return model.clips > 0; });
    choice.id = (withClips == converted.end() ? converted.front() : *withClips).id;
    if (!choice.among.empty())
        diagnostics.warn(core::Code::ignored, {},
                         fmt::format("holds the models {}; this is {} alone", listed(converted), choice.id));
    return choice;
}

/// What is left while the companions of a file are held; whoever read it counts the file.
core::Limits limitsBeside(const Companions& companions, const core::Limits& limits) {
    std::uint64_t bytes = 0;
    for (const auto& [role, companion] : companions)
        bytes += companion.input.file.bytes.size();
    return limits.holding(bytes);
}

/// @throws DecodeError of the kind `limit` if what the whole file may become is more than is left
void requireMemoryToDecode(const Format& format, const File& file, const core::Limits& limits) {
    core::requireMemory(memoryToDecode(format, file), limits, {});
}

void addFacts(const core::Called& called, core::Properties& character) {
    core::Properties facts;
    if (!called.title.empty())
        facts.emplace_back("title", called.title);
    if (!called.fullName.empty())
        facts.emplace_back("full_name", called.fullName);
    facts.emplace_back("named_by", std::string(nameOf(called.namedBy)));
    character.insert(character.begin(), facts.begin(), facts.end());
}

/// What the asset that a file became is called, where its game's files don't say.
void nameSkeleton(core::Asset& asset, const Input& input, const Companions& companions) {
    core::Skeleton& made = *asset.skeleton;
    const auto skeleton = companions.find(Role::skeleton);
    const bool isBeside = skeleton != companions.end();
    if (!asset.called.title.empty())
        made.name = asset.called.title;
    if (made.name.empty())
        made.name = std::string(stemOf(isBeside ? skeleton->second.input.file.name : input.file.name));
    if (isBeside && made.origin == core::Skeleton::Origin::given && !skeleton->second.given)
        made.origin = core::Skeleton::Origin::found;
}

/// Bytes that a dump shows as they are: two digits for each, in values and in the text that is made of them.
void requireMemoryForText(const File& file, const core::Limits& limits) {
    constexpr std::uint64_t kPerByte = 11;
    core::requireMemory(kPerByte * file.bytes.size(), limits, {"the JSON", std::nullopt});
}

}  // namespace

/// What `work` gives; its warnings and errors name the file.
template <typename Work>
auto OpenFile::naming(core::Diagnostics& diagnostics, const Work& work) {
    const auto about = context_.diagnostics.about(input_.shownName());
    const auto aboutToo = diagnostics.about(input_.shownName());
    return core::inFile(input_.shownName(), work);
}

OpenFile::OpenFile(const Input& input, const Companions& given, const Context& context)
    : input_(input),
      format_(formatOf(input)),
      limits_(context.limits),
      beside_(context.limits),
      context_{options_, beside_, context.diagnostics, context.cancelled, &input.siblings, &input.readMotion} {
    naming(context.diagnostics, [&] {
        if (input.file.bytes.empty())
            refuse(input);
        companions_ = withFoundCompanions(input, given);
        options_ = checkedOptions(format_, input, context.options);
        beside_ = limitsBeside(companions_, limits_);
        requireMemoryToDecode(format_, input.file, beside_);
        opened_ = format_.open(input, companions_, context_);
    });
}

/// Converts; of several models the one that is wanted.
core::Asset OpenFile::chosen(core::Diagnostics& diagnostics) {
    if (!format_.traits.holdsModels)
        return opened_->asset({}, diagnostics);
    ModelChoice choice = chooseModel(opened_->models(), options_, diagnostics);
    core::Asset asset = opened_->asset(choice.id, diagnostics);
    if (!choice.among.empty() && asset.skeleton && asset.skeleton->name.empty())
        asset.skeleton->name = fmt::format("{}_{}", stemOf(input_.file.name), choice.id);
    asset.model = std::move(choice.id);
    asset.models = std::move(choice.among);
    return asset;
}

void OpenFile::finish(core::Asset& asset, core::Diagnostics& diagnostics) const {
    giveVertices(asset);
    shareVertices(asset.meshes);
    if (asset.skeleton) {
        nameSkeleton(asset, input_, companions_);
        if (asset.skeleton->origin == core::Skeleton::Origin::madeUp)
            diagnostics.warn(core::Code::skeletonMadeUp, {},
                             input_.siblings ? "no skeleton was found beside it; joints side by side are made up"
                                             : "its skeleton was not looked for; joints side by side are made up");
    }
    if (asset.called.isKnown())
        addFacts(asset.called, asset.character);
    makeNamesUnique(asset.clips);
    for (core::Clip& clip : asset.clips) {
        clip.format = std::string(format_.id);
        core::holdToTheEnd(clip);
    }
    if (asset.video)
        asset.video->format = std::string(format_.id);
}

core::Asset OpenFile::load(core::Diagnostics& diagnostics) {
    return naming(diagnostics, [&] {
        if (!format_.traits.isConverted)
            throw DecodeError(fmt::format("is {}: nothing to convert without {}", format_.label,
                                          format_.kind == Kind::events ? "an animation" : "a model"));
        refuseIfCancelled(context_.cancelled);
        core::Asset asset = chosen(diagnostics);
        requireMemoryFor(asset, limits_);
        finish(asset, diagnostics);
        return asset;
    });
}

core::Asset OpenFile::loadMotion(core::Diagnostics& diagnostics) {
    const OptionValues all = options_;
    if (std::ranges::any_of(format_.options, [](const OptionInfo& option) { return option.key == kNoMeshOption.key; }))
        options_.set(kNoMeshOption.key, 1.0);
    core::Asset asset = load(diagnostics);
    options_ = all;
    return asset;
}

Json OpenFile::dump() {
    return naming(context_.diagnostics, [&] {
        requireMemoryForText(input_.file, beside_);
        return opened_->dump();
    });
}

std::vector<ModelSummary> OpenFile::models() {
    return naming(context_.diagnostics, [&] { return opened_->models(); });
}

std::vector<ClipElsewhere> OpenFile::clipsElsewhere() {
    return naming(context_.diagnostics, [&] { return opened_->clipsElsewhere(); });
}

core::Called OpenFile::called() {
    return naming(context_.diagnostics, [&] { return opened_->called(); });
}

core::StoredSteps OpenFile::steps() {
    return naming(context_.diagnostics, [&] { return opened_->steps(); });
}

EditedFile OpenFile::written(const core::Asset& original, std::span<const core::ClipEdit> edits,
                             core::Diagnostics& diagnostics) {
    return naming(diagnostics, [&] { return opened_->written(original, edits, diagnostics); });
}

RetimedFile OpenFile::retimed(const RetimeSettings& settings) {
    return naming(context_.diagnostics, [&] { return opened_->retimed(settings); });
}

core::Asset load(const Input& input, const Companions& given, Context& context) {
    return OpenFile(input, given, context).load(context.diagnostics);
}

core::Asset loadWithRest(const Input& input, const Companions& given, Context& context) {
    const Companions companions = withFoundCompanions(input, given);
    core::Asset asset = load(input, companions, context);
    refuseEmpty(asset, input);
    const auto about = context.diagnostics.about(input.shownName());
    setDefaultRest(asset, input, companions, context);
    return asset;
}

void refuseEmpty(const core::Asset& asset, const Input& input) {
    const Kind kind = formatOf(input).kind;
    if (kind == Kind::animation && asset.clips.empty() && !asset.holdsSkeleton)
        throw DecodeError("holds no animation that can be converted").inFile(input.shownName());
    if (kind == Kind::images && (!asset.video || asset.video->count == 0))
        throw DecodeError("holds no picture").inFile(input.shownName());
    if (kind == Kind::mesh && asset.meshes.empty())
        throw DecodeError("holds no triangle").inFile(input.shownName());
}

std::vector<ModelSummary> modelsOf(const Input& input, const Companions& given, Context& context) {
    return formatOf(input).traits.holdsModels ? OpenFile(input, given, context).models() : std::vector<ModelSummary>();
}

std::vector<ClipElsewhere> clipsElsewhere(const Input& input, const Companions& given, Context& context) {
    return formatOf(input).traits.holdsModels ? OpenFile(input, given, context).clipsElsewhere()
                                              : std::vector<ClipElsewhere>();
}

core::Called calledOf(const Input& input, const Companions& given, Context& context) {
    const Format& format = formatOf(input);
    if (!format.traits.tellsCharacter || !hasRoomFor(format, input))
        return {};
    try {
        return OpenFile(input, given, context).called();
    } catch (const DecodeError&) {
        return {};
    }
}

const ModelSummary* modelCalled(std::span<const ModelSummary> models, std::string_view text) {
    const auto byId = std::ranges::find(models, text, &ModelSummary::id);
    if (byId != models.end())
        return &*byId;
    if (const auto byAlias = std::ranges::find(models, text, &ModelSummary::alias);
        byAlias != models.end() && !text.empty())
        return &*byAlias;
    const std::string title = core::titleOf(text);
    const auto byName = std::ranges::find_if(models, [&](const ModelSummary& model) {
        return (!title.empty() && model.called.title == title) ||
               (!model.called.fullName.empty() && core::lowerCase(model.called.fullName) == core::lowerCase(text));
    });
    return byName == models.end() ? nullptr : &*byName;
}

std::vector<ModelSummary> convertedModels(std::vector<ModelSummary> models) {
    if (!std::ranges::all_of(models, &ModelSummary::isBare))
        std::erase_if(models, [](const ModelSummary& model) { return model.isBare(); });
    return models;
}

namespace {

/// For every model the file is read again.
/// @throws DecodeError of the kind `limit` for a work that grows as a product of counts in a file that need not
void requireLittleWork(std::size_t models, std::uint64_t clips, std::uint64_t fileSize) {
    constexpr std::uint64_t kMostClips = 1U << 16U;
    constexpr std::uint64_t kMostBytes = 128U << 20U;
    if (models < 2)
        return;
    const std::string what = fmt::format("{} models", models);
    if (clips > kMostClips)
        throw DecodeError({what, std::nullopt},
                          fmt::format("have {} clips together, the limit is {}", clips, kMostClips),
                          DecodeError::Kind::limit);
    if (models * fileSize > kMostBytes)
        throw DecodeError({what, std::nullopt},
                          fmt::format("are too many in a file of {} bytes, the limit is {}", fileSize,
                                      std::max<std::uint64_t>(1, kMostBytes / fileSize)),
                          DecodeError::Kind::limit);
}

}  // namespace

void requireWithinLimits(std::span<const ModelSummary> models, const Input& input, const core::Limits& limits) {
    std::uint64_t clips = 0;
    std::uint64_t tracks = 0;
    for (const ModelSummary& model : models) {
        clips += model.clips;
        tracks += model.clips * model.joints;
    }
    const std::string what = fmt::format("{} clips of {} models", clips, models.size());
    core::inFile(input.shownName(), [&] {
        requireLittleWork(models.size(), clips, input.file.bytes.size());
        core::SampleBudget budget(limits);
        for (const ModelSummary& model : models)
            budget.take(model.samples, {what, std::nullopt});
        core::requireMemory(core::memoryOfClips(clips, tracks), limits, {what, std::nullopt});
    });
}

std::string listed(std::span<const ModelSummary> models) {
    std::string text;
    for (std::size_t i = 0; i < models.size(); ++i)
        text += (i == 0 ? "" : i + 1 < models.size() ? ", " : " and ") + models[i].id;
    return text;
}

Json dump(const Input& input, const Companions& given, Context& context) {
    return OpenFile(input, given, context).dump();
}

// ---------------------------------------------------------------------------------------------------------------------
// Joining

namespace {

bool sameJoint(const core::Skeleton& a, const core::Joint& jointA, const core::Skeleton& b, const core::Joint& jointB) {
    const auto parentName = [](const core::Skeleton& skeleton, const core::Joint& joint) {
        return joint.parent == core::kNoParent ? std::string()
                                               : skeleton.joints[static_cast<std::size_t>(joint.parent)].name;
    };
    return jointA.name == jointB.name && parentName(a, jointA) == parentName(b, jointB) &&
           jointA.rest.translation == jointB.rest.translation && jointA.id == jointB.id;
}

/// True for joints of another program's file: it does not number them.
bool isForeign(const core::Skeleton& skeleton) {
    return skeleton.origin != core::Skeleton::Origin::madeUp &&
           std::ranges::none_of(skeleton.joints, [](const core::Joint& joint) { return joint.id.has_value(); });
}

/// True if every joint of `inner` has its name from one of `outer`.
bool holdsNames(const core::Skeleton& outer, const core::Skeleton& inner) {
    return std::ranges::all_of(inner.joints,
                               [&](const core::Joint& joint) { return outer.find(joint.name).has_value(); });
}

/// Makes `target` hold the joints of `other` too.
/// @return for every joint of `other` its index in `target`; nothing if a joint is another one in both, or, of other
/// programs' skeletons, if each has joints that the other lacks
std::optional<std::vector<std::uint32_t>> joinSkeletons(core::Skeleton& target, const core::Skeleton& other) {
    if ((isForeign(target) || isForeign(other)) && !holdsNames(target, other) && !holdsNames(other, target))
        return std::nullopt;
    std::vector<std::uint32_t> indices;
    for (const core::Joint& joint : other.joints) {
        std::optional<std::uint32_t> known = target.find(joint.name);
        if (known && !sameJoint(target, target.joints[*known], other, joint))
            return std::nullopt;
        if (!known) {
            if (joint.id)  // a joint of the file's own: only joints that clips ask for (weapons) may be missing
                return std::nullopt;
            known = static_cast<std::uint32_t>(target.joints.size());
            core::Joint added = joint;
            if (joint.parent != core::kNoParent)
                added.parent = static_cast<int>(indices[static_cast<std::size_t>(joint.parent)]);
            target.joints.push_back(std::move(added));
        }
        indices.push_back(*known);
    }
    return indices;
}

std::string sourceOf(const core::Asset& asset) {
    return asset.clips.empty() ? asset.skeleton->name : asset.clips.front().source;
}

/// @throws DecodeError if there is an asset without a skeleton among several
void requireSkeletons(const std::vector<core::Asset>& assets) {
    const auto lone = std::ranges::find_if(assets, [](const core::Asset& asset) { return !asset.skeleton; });
    if (lone == assets.end() || assets.size() == 1)
        return;
    if (lone->video)
        throw DecodeError(fmt::format("{} holds pictures: give it its own output", lone->video->source));
    throw DecodeError(fmt::format("{} has no joints: give it its own output",
                                  lone->meshes.empty() ? lone->images.front().name : lone->meshes.front().name));
}

/// What one of the assets looks like, all of them do.
/// @param joints for every joint of `from` its index in `to`
void takeMeshes(core::Asset& to, core::Asset& from, const std::vector<std::uint32_t>& joints) {
    if (!to.meshes.empty())
        return;
    for (core::Mesh& mesh : from.meshes)
        for (core::Primitive& primitive : mesh.primitives)
            moveTo(joints, primitive);
    to.meshes = std::move(from.meshes);
    to.materials = std::move(from.materials);
    to.images = std::move(from.images);
    to.character = std::move(from.character);
}

/// Who one of the assets is, all of them are.
void takeName(core::Asset& to, const core::Asset& from) {
    if (!to.called.title.empty() || from.called.title.empty())
        return;
    to.called = from.called;
    to.skeleton->name = from.skeleton->name;
}

}  // namespace

core::Asset merge(std::vector<core::Asset> assets, const core::Limits& limits) {
    std::erase_if(assets, [](const core::Asset& asset) {
        return !asset.skeleton && !asset.video && asset.meshes.empty() && asset.images.empty();
    });
    if (assets.empty())
        return {};
    requireSkeletons(assets);
    core::Asset merged = std::move(assets.front());
    // The largest skeleton first, so that the order of parts of it does not matter.
    const auto largest = std::max_element(assets.begin() + 1, assets.end(), [](const auto& a, const auto& b) {
        return a.skeleton->joints.size() < b.skeleton->joints.size();
    });
    if (largest != assets.end() && isForeign(*largest->skeleton)) {
        core::Skeleton joined = *merged.skeleton;
        if (joinSkeletons(joined, *largest->skeleton))
            *merged.skeleton = std::move(joined);
    }
    for (std::size_t i = 1; i < assets.size(); ++i) {
        core::Asset& other = assets[i];
        core::Skeleton joined = *merged.skeleton;
        const auto indices = joinSkeletons(joined, *other.skeleton);
        if (!indices)
            throw DecodeError(
                fmt::format("{} and {} move different skeletons ({} with {} joints, {} with {}): give each "
                            "its own output",
                            sourceOf(merged), sourceOf(other), merged.skeleton->name, merged.skeleton->joints.size(),
                            other.skeleton->name, other.skeleton->joints.size()));
        *merged.skeleton = std::move(joined);
        takeMeshes(merged, other, *indices);
        takeName(merged, other);
        for (core::Clip& clip : other.clips) {
            for (core::JointTrack& track : clip.tracks)
                track.joint = (*indices)[track.joint];
            std::sort(clip.tracks.begin(), clip.tracks.end(),
                      [](const core::JointTrack& a, const core::JointTrack& b) { return a.joint < b.joint; });
            merged.clips.push_back(std::move(clip));
        }
    }
    giveVertices(merged);
    requireMemoryFor(merged, limits);
    core::UniqueNames names;
    for (core::Clip& clip : merged.clips)
        clip.name = names.unique(clip.name);
    return merged;
}

std::vector<core::Clip> clipsOn(const core::Skeleton& skeleton, const Input& input, const Companions& given,
                                Context& context) {
    std::vector<core::Asset> both(2);
    both[0].skeleton.emplace(skeleton);
    OptionValues options = context.options;
    options.set(kNoMeshOption.key, 1.0);
    Context withoutMesh = context.with(options);
    both[1] = load(input, given, withoutMesh);
    core::Asset joined = merge(std::move(both), context.limits);
    for (core::Clip& clip : joined.clips)
        std::erase_if(clip.tracks, [&](const core::JointTrack& t) { return t.joint >= skeleton.joints.size(); });
    return std::move(joined.clips);
}

// ---------------------------------------------------------------------------------------------------------------------
// The rest pose

namespace {

/// The first frame of the first clip that moves each joint, so that a weapon that appears later has a place too.
void setRestFromClips(core::Asset& asset, std::initializer_list<std::span<const core::Clip>> clipLists) {
    const core::Skeleton& skeleton = *asset.skeleton;
    core::Pose pose = core::restPose(skeleton);
    std::vector<bool> placed(pose.size(), false);
    std::size_t missing = pose.size();
    for (const std::span<const core::Clip> clips : clipLists)
        for (const core::Clip& clip : clips) {
            if (missing == 0)
                break;
            const core::Pose first = core::samplePose(skeleton, clip, 0);
            for (const core::JointTrack& track : clip.tracks) {
                if (placed[track.joint])
                    continue;
                pose[track.joint] = first[track.joint];
                placed[track.joint] = true;
                --missing;
            }
        }
    core::setRest(asset, pose);
}

/// The file that holds the skeleton of an asset, if there is one.
std::optional<Companion> skeletonFileOf(const Input& input, const Companions& companions) {
    if (formatOf(input).kind == Kind::skeleton)
        return Companion{input, true};
    const auto companion = companions.find(Role::skeleton);
    return companion == companions.end() ? std::nullopt : std::optional(companion->second);
}

/// True if a file of that name is the pack that belongs to a skeleton which was found beside it.
bool isOwnPack(std::string_view name, const Companion& skeletonFile) {
    if (skeletonFile.given)
        return false;
    const std::vector<Need> needs = needsOf(formatOf(skeletonFile.input), skeletonFile.input.file);
    return std::any_of(needs.begin(), needs.end(), [&](const Need& need) {
        return std::find(need.names.begin(), need.names.end(), name) != need.names.end();
    });
}

/// @param companions those of the skeleton, where it is the input; else none
std::optional<Input> packBeside(const Companion& skeletonFile, const Companions& companions) {
    const auto known = skeletonFile.given ? companions.find(Role::animation) : companions.end();
    if (known != companions.end())
        return known->second.input;
    Companions found = withFoundCompanions(skeletonFile.input, {});
    const auto pack = found.find(Role::animation);
    return pack == found.end() ? std::nullopt : std::optional(std::move(pack->second.input));
}

/// The pack that belongs to a skeleton, unless its clips are in the asset already.
/// @param input the first input that the asset comes from
std::optional<Input> packToDecode(const core::Asset& asset, const Input& input, const Companion& skeletonFile,
                                  const Companions& companions) {
    if (std::any_of(asset.clips.begin(), asset.clips.end(),
                    [&](const core::Clip& clip) { return isOwnPack(clip.source, skeletonFile); }))
        return std::nullopt;
    std::optional<Input> pack = packBeside(skeletonFile, companions);
    const bool isInput = pack && pack->file.name == input.file.name && pack->file.bytes == input.file.bytes;
    return isInput ? std::nullopt : std::move(pack);
}

/// The clips of the pack that belongs to a skeleton; none if it can't be read.
std::vector<core::Clip> clipsOfOwnPack(const Input& pack, const Companion& skeletonFile, const core::Skeleton& skeleton,
                                       Context& context) {
    core::Diagnostics ignored;  // the pack is not what was asked for
    Context quiet = context.reporting(ignored);
    try {
        std::vector<core::Clip> clips = clipsOn(skeleton, pack, {{Role::skeleton, skeletonFile}}, quiet);
        const bool isAnothers = std::ranges::any_of(ignored.warnings(), [](const core::Warning& warning) {
            return warning.code == core::Code::skeletonMismatch;
        });
        return isAnothers ? std::vector<core::Clip>() : std::move(clips);
    } catch (const DecodeError&) {
        return {};
    }
}

}  // namespace

std::optional<Input> packOfSkeleton(const Input& input, const Companions& companions) {
    if (!hasRoomFor(formatOf(input), input))
        return std::nullopt;
    const std::optional<Companion> skeletonFile = skeletonFileOf(input, companions);
    return skeletonFile && !isOwnPack(input.file.name, *skeletonFile) ? packBeside(*skeletonFile, companions)
                                                                      : std::nullopt;
}

void setDefaultRest(core::Asset& asset, const Input& input, const Companions& companions, Context& context) {
    if (!asset.skeleton || asset.skeleton->hasRest)
        return;
    const core::Skeleton& skeleton = *asset.skeleton;
    const std::optional<Companion> skeletonFile = skeletonFileOf(input, companions);
    std::vector<core::Clip> ofPack;
    if (const std::optional<Input> pack =
            skeletonFile ? packToDecode(asset, input, *skeletonFile, companions) : std::nullopt)
        ofPack = clipsOfOwnPack(*pack, *skeletonFile, skeleton, context);
    if (ofPack.empty() && asset.clips.empty() && skeleton.joints.size() > 1) {
        const std::string text = fmt::format("no animation moves {}: all its angles are 0", skeleton.name);
        if (asset.holdsSkeleton)
            context.diagnostics.warn(core::Code::noPose, {}, text);
        else if (formatOf(input).kind == Kind::skeleton)  // a file of joints is whole without a pose
            context.diagnostics.note(core::Code::noPose, {}, text);
    }
    setRestFromClips(asset, {ofPack, asset.clips});
}

}  // namespace reanima
