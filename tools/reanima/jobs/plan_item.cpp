#include "tools/reanima/jobs/plan_item.h"

#include <algorithm>

#include <fmt/format.h>

#include "formats/animation_links.h"
#include "formats/character_links.h"
#include "formats/common_options.h"
#include "formats/load.h"
#include "tools/reanima/jobs/copies.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

/// True for standard input, or a pipe that a shell passes as /dev/fd/63.
bool canBeReadOnce(const fs::path& path) {
    if (isFolder(path))
        return false;
    std::error_code error;
    const fs::file_status status = core::statusOf(path, error);
    return path == kStandardStream || (fs::exists(status) && !fs::is_regular_file(status));
}

/// @param wanted ids and patterns; empty: all
void chooseModels(PlanItem& item, const std::vector<std::string>& wanted) {
    std::vector<std::string> missing;
    std::vector<ModelSummary> converted = convertedModels(item.known);
    if (converted.size() == 1)
        item.onlyModel = converted.front().id;
    if (wanted.empty())
        item.models = std::move(converted);
    else
        item.models = chosenFrom(item.known, wanted, missing);
    for (const std::string& selection : missing)
        item.missing.push_back({fmt::format("{}: {}", toUtf8(item.path), holdsNoModel(selection, item.known))});
}

/// The file with an animation's skeleton. Empty if none is beside the animation.
std::string skeletonFileOf(const Input& input, const Recipe& recipe) {
    if (input.format->kind != Kind::animation || input.format->traits.holdsModels)
        return {};
    const Companions companions = withFoundCompanions(input, recipe.companionsFor(*input.format));
    const auto skeleton = companions.find(Role::skeleton);
    return skeleton == companions.end() ? std::string() : skeleton->second.input.shownName();
}

/// @throws core::DecodeError for a group number that is not in any model
void refuseUnknownGroups(const PlanItem& item, const OptionValues& options) {
    std::size_t most = 0;
    for (const ModelSummary& model : item.models)
        most = std::max(most, model.groups);
    for (const std::uint32_t group : options.counts(kHideGroupOption.key))
        if (!item.models.empty() && group >= most)
            throw core::DecodeError(fmt::format("no model has a group {}", group)).inFile(toUtf8(item.path));
}

/// The requested models. For an entry that was found by a character's name: only this character.
std::vector<std::string> wantedModels(const PlanItem& item, const Recipe& recipe) {
    const std::string path = toUtf8(item.path);
    if (!recipe.options.models.empty() || path == item.readFrom || !recipe.options.input.files->namesEntry(path))
        return recipe.options.models;
    std::string name = path.substr(path.rfind(':') + 1);
    if (modelCalled(item.known, name) == nullptr)
        return {};
    return {std::move(name)};
}

/// Finds the format of an input and its models.
void lookInto(PlanItem& item, Input& input, const Recipe& recipe) {
    input.format = item.format = findFormat(input);
    item.readFrom = input.file.path;
    if (item.format == nullptr || !hasRoomFor(*item.format, input))
        return;
    if (item.joinsGroup || item.inFolder || item.isMatch)
        item.uses = skeletonFileOf(input, recipe);
    if (item.joinsGroup)
        item.skeleton = item.uses;
    if (linkRulesOf(*item.format).boneCount != nullptr)
        item.bones = linkRulesOf(*item.format).boneCount(input.file.bytes);
    const InputOptions& options = recipe.options.input;
    core::Diagnostics repeated;  // reported when the model is read
    Context context{options.values, options.limits, repeated, {}};
    try {
        const Companions given = recipe.companionsFor(*item.format);
        if (item.format->traits.holdsModels)
            item.known = modelsOf(input, given, context);
        if (item.known.empty())
            item.called = calledOf(input, given, context);
    } catch (const core::DecodeError&) {
        return;
    }
    chooseModels(item, wantedModels(item, recipe));
    if (!item.archive.empty())
        hashModels(item, input);
    try {
        refuseUnknownGroups(item, options.values);
        requireWithinLimits(item.models, input, options.limits);
    } catch (...) {
        item.failure = currentFailure();
    }
}

/// False for a skeleton that needs no separate output, because its animations are beside it. Also false for animations
/// of models in other files.
bool isCharacter(const PlanItem& item, const Input& input) {
    if (item.format->kind == Kind::skeleton)
        return linkRulesOf(*item.format).links != nullptr || !packOfSkeleton(input, {});
    return !item.format->traits.holdsModels || !item.known.empty();
}

void recogniseInFolder(PlanItem& item, const Recipe& recipe) {
    try {
        std::optional<Input> input = recipe.options.input.readFromFolder(toUtf8(item.path));
        if (input && isPart(*input->format))
            item.nothingBecause = "belongs to a character and is converted with it";
        else if (input)
            lookInto(item, *input, recipe);
        if (item.inArchive && item.format != nullptr && !isCharacter(item, *input)) {
            item.format = nullptr;
            item.nothingBecause = "belongs to a character and is converted with it";
        }
    } catch (...) {
        item.failure = currentFailure();
    }
}

void recogniseStream(PlanItem& item, const Recipe& recipe) {
    try {
        Input input = recipe.options.input.readSource(toUtf8(item.path));
        lookInto(item, input, recipe);
        item.held = std::make_shared<HeldFile>(std::move(input.file));
    } catch (...) {
        item.failure = currentFailure();
    }
}

/// Recognises a single file. Errors in a file that the user named are reported by its job.
void recogniseFile(PlanItem& item, const Recipe& recipe) {
    try {
        Input input = recipe.options.input.readSource(toUtf8(item.path));
        lookInto(item, input, recipe);
    } catch (...) {  // NOLINT: the job throws it again
    }
}

}  // namespace

void recognise(PlanItem& item, const Recipe& recipe) {
    if (item.inFolder)
        recogniseInFolder(item, recipe);
    else if (canBeReadOnce(item.path))
        recogniseStream(item, recipe);
    else
        recogniseFile(item, recipe);
    const bool isPicture = item.format != nullptr && item.format->kind == Kind::picture;
    item.form = isPicture && item.format->traits.isConverted ? &formOf("x.png") : recipe.options.form;
}

}  // namespace reanima::tool
