#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "binding/role_links.h"
#include "binding/suggest.h"
#include "importers/common_options.h"
#include "importers/load.h"
#include "pictures/png.h"
#include "tools/reanima/binding.h"
#include "tools/reanima/files.h"
#include "tools/reanima/models.h"
#include "tools/reanima/platform.h"
#include "tools/reanima/skeleton_picture.h"
#include "tools/reanima/verbs.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

struct BindOptions {
    InputOptions input;
    std::string file;
    std::string model;  ///< of a file that holds several
    std::string output;
    bool suggest = false;
    bool force = false;
};

/// A mapping that `convert --map` reads as it is; a person may edit it.
Json mappingOf(const core::Skeleton& source, const core::Skeleton& target,
               const std::vector<core::Suggestion>& suggestions) {
    Json joints = Json::array();
    for (const core::Suggestion& suggestion : suggestions) {
        const core::JointLink& link = suggestion.link;
        Json line = {{"source", source.joints[link.source].name},
                     {"target", target.joints[link.target].name},
                     {"confidence", std::round(suggestion.confidence * 100) / 100},
                     {"reason", suggestion.reason}};
        if (link.mixedFrom) {
            line["mixed_from"] = source.joints[*link.mixedFrom].name;
            line["share"] = std::round(link.share * 1000) / 1000;
        }
        if (link.carrier)
            line["carrier"] = target.joints[*link.carrier].name;
        joints.push_back(std::move(line));
    }
    return {{"schema", 1}, {"by_name", false}, {"joints", std::move(joints)}};
}

/// The options, with the model that is wanted.
/// @throws UsageError if nothing says which of several that is, core::DecodeError if there is no such model
OptionValues chooseModel(const BindOptions& options, const Input& input, const Companions& companions) {
    OptionValues values = options.input.values;
    core::Diagnostics repeated;  // loading says the same again
    Context context{values, options.input.limits, repeated, {}};
    const std::vector<ModelSummary> models = modelsOf(input, companions, context);
    const std::vector<ModelSummary> converted = convertedModels(models);
    if (options.model.empty() && converted.size() > 1)
        throw UsageError(fmt::format("{}: a mapping is for one model; --model chooses one of {}: {}", options.file,
                                     converted.size(), described(converted)));
    if (!options.model.empty() && std::ranges::find(models, options.model, &ModelSummary::id) == models.end())
        throw core::DecodeError(holdsNoModel(options.model, models)).inFile(options.file);
    if (!options.model.empty())
        values.set(kModelOption.key, options.model);
    return values;
}

/// @param read takes the files that were read
core::Asset sourceOf(const BindOptions& options, core::Diagnostics& diagnostics, std::vector<fs::path>& read) {
    const Input input = options.input.read(options.file);
    InputOptions own = options.input;
    own.skeleton.clear();  // that is the rig
    const Companions companions = withFoundCompanions(input, own.given().companions);
    read = pathsOf(input, companions);
    const OptionValues values = chooseModel(options, input, companions);
    Context context{values, options.input.limits, diagnostics, {}};
    core::Asset asset = loadWithRest(input, companions, context);
    if (asset.skeletons.empty())
        throw core::DecodeError("holds pictures: there are no joints").inFile(options.file);
    return asset;
}

const char* reasonFor(binding::Anatomy::From from) {
    switch (from) {
        case binding::Anatomy::From::stated:
            return "stated";
        case binding::Anatomy::From::family:
        case binding::Anatomy::From::names:
            return "by name";
        case binding::Anatomy::From::motion:
        case binding::Anatomy::From::none:
            break;
    }
    return "by shape and motion";
}

/// By what the joints are for where both are humanoids, else by the shape of the trees, with a warning.
std::vector<core::Suggestion> suggestionsFor(const core::Asset& asset, const core::Rig& rig,
                                             core::Diagnostics& diagnostics) {
    const core::Skeleton& source = asset.skeletons.front();
    binding::StatedRoles stated;
    for (std::size_t joint = 0; joint < rig.roles.size(); ++joint)
        if (!rig.roles[joint].empty())
            stated.emplace(rig.skeleton.joints[joint].name, rig.roles[joint]);
    const binding::Anatomy from = binding::anatomyOfSource(source, asset.clips);
    const binding::Anatomy to = binding::anatomyOfRig(rig.skeleton, stated);
    const double confidence = std::min(from.confidence, to.confidence);
    std::vector<core::Suggestion> suggestions;
    constexpr double kGuess = 0.5;
    if (confidence >= kGuess) {
        for (const binding::RoleLink& link : binding::linksByRoles(from, rig.skeleton, to))
            suggestions.push_back({link.link, confidence,
                                   fmt::format("{}: {} in the source, {} in the rig", binding::nameOf(link.role),
                                               reasonFor(from.from), reasonFor(to.from))});
    } else {
        constexpr double kMost = 0.7;  // shape alone: below what is used without a mapping
        suggestions = core::suggestLinks(source, rig.skeleton);
        for (core::Suggestion& suggestion : suggestions)
            suggestion.confidence *= kMost;
    }
    if (confidence < binding::kCertain) {
        const bool isRig = to.confidence <= from.confidence;
        diagnostics.warn(core::Code::jointUnmatched, {},
                         fmt::format("{} is not surely a humanoid ({}): check every line of the mapping",
                                     isRig ? rig.source : source.name, isRig ? to.seen : from.seen));
    }
    return suggestions;
}

int bind(const BindOptions& options, const Console& console) {
    if (!options.suggest)
        throw UsageError("bind: --suggest makes a first mapping; `reanima convert INPUT -s RIG --map MAP` binds");
    if (options.input.skeleton.empty())
        throw UsageError("bind: -s names the rig");
    const fs::path output = fromUtf8(options.output);
    const fs::path picture = fs::path(output).replace_extension(".png");
    if (output == kStandardStream)
        throw UsageError("-o -: a picture goes beside the mapping; name a file");
    checkOutputs({output, picture}, {fromUtf8(options.file), fromUtf8(options.input.skeleton)}, options.force);
    core::Diagnostics diagnostics;
    std::vector<fs::path> read;
    const core::Asset asset = sourceOf(options, diagnostics, read);
    const core::Skeleton& source = asset.skeletons.front();
    console.print(diagnostics);
    const Format* told = InputOptions::formatFor(options.input.skeletonFormat, "--skeleton-format");
    Input rig = readInput(fromUtf8(options.input.skeleton), told, options.input.limits);
    const Target target = readTarget(options.input, std::move(rig), false);
    console.print(target.diagnostics);
    for (const File& file : target.beside)
        read.push_back(fromUtf8(options.input.skeleton).parent_path() / fromUtf8(file.name));
    checkOutputs({output, picture}, read, true);
    core::Diagnostics doubts;
    const std::vector<core::Suggestion> suggestions = suggestionsFor(asset, *target.rig, doubts);
    console.print(doubts);
    if (suggestions.empty())
        throw core::DecodeError("has no joint that looks like one of the rig's").inFile(options.file);
    writeOutput(picture, pictures::encodePng(drawSkeletons(source, target.rig->skeleton, suggestions)));
    writeOutput(output, toText(mappingOf(source, target.rig->skeleton, suggestions)));
    console.say(
        fmt::format("wrote {}: {} of {} joints of the rig, and {} with both skeletons side by side; edit it, then "
                    "reanima convert {} -s {} --map {}",
                    options.output, suggestions.size(), target.rig->skeleton.joints.size(), toUtf8(picture),
                    options.file, options.input.skeleton, options.output));
    return kDone;
}

}  // namespace

const Verb kBind = {
    "bind", "a first mapping between a game's skeleton and a rig",
    "  reanima bind rtda -s hero.glb --suggest -o hero.map.json",
    [](Arguments& arguments, Console& console) -> std::function<int()> {
        const auto options = std::make_shared<BindOptions>();
        arguments.requiredText("INPUT", options->file, "", "animations, or a skeleton");
        arguments.requiredText("-o,--output", options->output, "MAP", "the mapping, as JSON; a picture goes beside it");
        arguments.text("--model", options->model, "ID", "of a file that holds several models, this one");
        arguments.flag("--suggest", options->suggest,
                       "guess which joint is which, by names, the shape of the trees and proportions");
        arguments.flag("--force", options->force, "replace outputs that exist");
        addInputOptions(arguments, options->input,
                        "the rig: a .glb or .gltf, any file that Assimp reads, or a game's skeleton");
        addConsoleOptions(arguments, console);
        return [options, &console] { return bind(*options, console); };
    }};

}  // namespace reanima::tool
