#include "formats/open_file.h"

#include <algorithm>
#include <span>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/edit.h"
#include "core/memory.h"
#include "core/text.h"
#include "core/weld.h"
#include "formats/character_links.h"
#include "formats/common_options.h"
#include "formats/load.h"
#include "formats/merge.h"
#include "formats/naming.h"
#include "formats/retime.h"

namespace reanima {

namespace {

using core::DecodeError;

/// The options of a format, with checked types and bounds. The default rate may depend on where the file was found.
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

/// Merges equal vertices, and leaves out meshes without triangles.
void shareVertices(std::vector<core::Mesh>& meshes) {
    for (core::Mesh& mesh : meshes) {
        std::erase_if(mesh.primitives, [](const core::Primitive& primitive) { return primitive.indices.empty(); });
        for (core::Primitive& primitive : mesh.primitives)
            primitive = core::withSharedVertices(primitive);
    }
    std::erase_if(meshes, [](const core::Mesh& mesh) { return mesh.primitives.empty(); });
}

/// The model of a file that is converted.
struct ModelChoice {
    std::string id;                  ///< empty: the file contains no models
    std::vector<std::string> among;  ///< all models that would be converted, if there are several
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
            throw DecodeError(fmt::format("contains no model {}, only {}", *wanted, listed(models)));
        choice.id = model->id;
        return choice;
    }
    const auto withClips = std::ranges::find_if(converted, [](const ModelSummary& model) { return model.clips > 0; });
    choice.id = (withClips == converted.end() ? converted.front() : *withClips).id;
    if (!choice.among.empty())
        diagnostics.warn(core::Code::ignored, {},
                         fmt::format("contains the models {}; only {} is converted", listed(converted), choice.id),
                         {std::string(kModelOption.key), "ID"});
    return choice;
}

/// The limits that remain while the companions of a file are in memory. The file itself is counted by its reader.
core::Limits limitsBeside(const Companions& companions, const core::Limits& limits) {
    std::uint64_t bytes = 0;
    for (const auto& [role, companion] : companions)
        bytes += companion.input.file.bytes.size();
    return limits.holding(bytes);
}

/// @throws DecodeError of the kind `limit` if decoding the whole file may exceed the remaining memory
void requireMemoryToDecode(const Format& format, const File& file, const core::Limits& limits) {
    core::requireMemory(format.memoryFor(file), limits, {});
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

/// Names a file's asset if the game's files have no name for it.
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

/// Requires the memory for raw bytes in a dump: two digits per byte, in the values and in the text.
void requireMemoryForText(const File& file, const core::Limits& limits) {
    constexpr std::uint64_t kPerByte = 11;
    core::requireMemory(kPerByte * file.bytes.size(), limits, {"the JSON", std::nullopt});
}

}  // namespace

/// Runs `work` so that its warnings and errors name the file.
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
            throw DecodeError("is empty").inFile(input.shownName());
        companions_ = withFoundCompanions(input, given);
        options_ = checkedOptions(format_, input, context.options);
        beside_ = limitsBeside(companions_, limits_);
        requireMemoryToDecode(format_, input.file, beside_);
        opened_ = format_.open(input, companions_, context_);
    });
}

/// Converts the file, or one of its models.
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
                             input_.siblings ? "no skeleton was found beside it; using placeholder joints in a row"
                                             : "no skeleton was looked for; using placeholder joints in a row",
                             {input_.siblings ? "skeleton" : "", "FILE"});
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
            throw DecodeError(fmt::format("is {}, which can only be converted with {}", format_.label,
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

}  // namespace reanima
