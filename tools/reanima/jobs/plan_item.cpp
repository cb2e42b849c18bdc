#include "tools/reanima/jobs/plan_item.h"

#include <algorithm>

#include <fmt/format.h>

#include "formats/common_options.h"
#include "formats/load.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

/// Standard input, or a pipe that a shell passes as /dev/fd/63.
bool canBeReadOnce(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = core::statusOf(path, error);
    return path == kStandardStream || (fs::exists(status) && !fs::is_regular_file(status));
}

/// @param wanted ids; all if empty
void chooseModels(PlanItem& item, const std::vector<std::string>& wanted) {
    std::vector<ModelSummary> converted = convertedModels(item.known);
    if (converted.size() == 1)
        item.onlyModel = converted.front().id;
    if (wanted.empty())
        item.models = std::move(converted);
    for (const std::string& id : wanted) {
        const auto isIt = [&](const ModelSummary& model) { return model.id == id; };
        const auto model = std::ranges::find_if(item.known, isIt);
        if (model == item.known.end())
            item.missing.push_back({fmt::format("{}: {}", toUtf8(item.path), holdsNoModel(id, item.known))});
        else if (std::ranges::none_of(item.models, isIt))
            item.models.push_back(*model);
    }
}

/// The file that an animation's skeleton is found in; empty if there is none beside it.
std::string skeletonFileOf(const Input& input, const Recipe& recipe) {
    if (input.format->kind != Kind::animation)
        return {};
    const Companions companions = withFoundCompanions(input, recipe.companionsFor(*input.format));
    const auto skeleton = companions.find(Role::skeleton);
    return skeleton == companions.end() ? std::string() : skeleton->second.input.shownName();
}

/// @throws core::DecodeError for the number of a group that none of the models has
void refuseUnknownGroups(const PlanItem& item, const OptionValues& options) {
    std::size_t most = 0;
    for (const ModelSummary& model : item.models)
        most = std::max(most, model.groups);
    for (const std::uint32_t group : options.counts(kHideGroupOption.key))
        if (!item.models.empty() && group >= most)
            throw core::DecodeError(fmt::format("no model has a group {}", group)).inFile(toUtf8(item.path));
}

/// The format of what was read, and the models in it.
void lookInto(PlanItem& item, Input& input, const Recipe& recipe) {
    input.format = item.format = findFormat(input);
    if (item.format == nullptr)
        return;
    if (item.joinsGroup)
        item.skeleton = skeletonFileOf(input, recipe);
    const InputOptions& options = recipe.options.input;
    core::Diagnostics repeated;  // reading the model says the same again
    Context context{options.values, options.limits, repeated, {}};
    try {
        if (item.format->models != nullptr)
            item.known = modelsOf(input, recipe.companionsFor(*item.format), context);
    } catch (const core::DecodeError&) {
        return;
    }
    chooseModels(item, recipe.options.models);
    try {
        refuseUnknownGroups(item, options.values);
        requireWithinLimits(item.models, input, options.limits);
    } catch (...) {
        item.failure = currentFailure();
    }
}

/// False for a skeleton whose animations lie beside it, which has no output of its own, and for animations of models
/// that lie elsewhere.
bool isCharacter(const PlanItem& item, const Input& input) {
    if (item.format->kind == Kind::skeleton)
        return !packOfSkeleton(input, {});
    return item.format->models == nullptr || !item.known.empty();
}

/// True for what belongs to characters: it is converted alone only where the user names it.
bool isPart(const Format& format) { return format.kind == Kind::mesh || format.kind == Kind::picture; }

void recogniseInFolder(PlanItem& item, const Recipe& recipe) {
    try {
        std::optional<Input> input = recipe.options.input.readFromFolder(toUtf8(item.path));
        if (input && input->format->load != nullptr && !isPart(*input->format))
            lookInto(item, *input, recipe);
        if (item.inArchive && item.format != nullptr && !isCharacter(item, *input))
            item.format = nullptr;
    } catch (...) {
        item.failure = currentFailure();
    }
}

void recogniseStream(PlanItem& item, const Recipe& recipe) {
    try {
        Input input = recipe.options.input.read(toUtf8(item.path));
        lookInto(item, input, recipe);
        item.held = std::make_shared<HeldFile>(std::move(input.file));
    } catch (...) {
        item.failure = currentFailure();
    }
}

/// What is wrong with a file that the user names, its job will say.
void recogniseFile(PlanItem& item, const Recipe& recipe) {
    try {
        Input input = recipe.options.input.read(toUtf8(item.path));
        lookInto(item, input, recipe);
    } catch (...) {  // NOLINT: is thrown again by the job
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
}

}  // namespace reanima::tool
