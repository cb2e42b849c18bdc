#include "tools/reanima/jobs/sides.h"

#include <algorithm>

#include <fmt/format.h>

#include "formats/common_options.h"
#include "formats/load.h"
#include "tools/reanima/front/binding.h"
#include "tools/reanima/front/command_words.h"
#include "tools/reanima/jobs/models.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

ConversionOptions withoutRig(ConversionOptions options) {
    options.input.skeleton.clear();
    return options;
}

}  // namespace

void printOrFail(const core::Diagnostics& diagnostics, const std::string& file, const Console& console) {
    console.print(diagnostics);
    if (console.policy.fails(diagnostics))
        throw core::DecodeError("warnings count as errors").inFile(file);
}

std::string suggestionFor(const std::string& input, const std::string& model, const std::string& rig,
                          const InputOptions& options) {
    std::string more;
    const auto add = [&more](const char* option, const std::string& value) {
        if (!value.empty())
            more += fmt::format(" {} {}", option, asWord(value));
    };
    add("--source-skeleton", options.sourceSkeleton);
    add("--model", model);
    add("--format", options.format);
    return fmt::format("; `reanima bind {} -s {}{} --suggest -o MAP.json` proposes one", asWord(input), asWord(rig),
                       more);
}

Sides::Sides(const ConversionOptions& options, const std::string& file, const Console& console)
    : file_(file),
      own_(withoutRig(options)),
      input_(own_.options.input.readSource(file)),
      companions_(withFoundCompanions(input_, own_.companionsFor(formatOf(input_)))),
      values_(chosenModel()) {
    InputOptions named = options.input;
    named.motion = {file};
    target_ = readTarget(named, named.readSkeleton(), RigFile::read);
    core::Diagnostics diagnostics;
    own_.settings.names = namesFor(own_.settings.names, file_, values_.text(kModelOption.key).value_or(std::string()));
    asset_ = load(diagnostics);
    printOrFail(diagnostics, file, console);
    printOrFail(target_.diagnostics, file, console);
    settings_ = own_.settings;
    settings_.options = values_;
    settings_.rig = target_.rig;
}

std::string Sides::rigName() const { return toUtf8(fromUtf8(target_.path).filename()); }

std::vector<fs::path> Sides::files() const {
    std::vector<fs::path> files = pathsOf(input_, companions_);
    for (const File& file : target_.beside)
        files.push_back(fromUtf8(target_.path).parent_path() / fromUtf8(file.name));
    files.push_back(fromUtf8(target_.path));
    files.insert(files.end(), own_.files.begin(), own_.files.end());
    return files;
}

SuggestedLinks Sides::suggested(core::Diagnostics& diagnostics) const {
    Settings stated;
    stated.names = settings_.names;
    stated.map = withCurrentNames(settings_.map, skeleton(), ownNames_, rig());
    return suggestLinks(asset_, *target_.rig, diagnostics, stated);
}

FinishedAsset Sides::bound(const std::function<void(Settings&)>& change, core::Diagnostics& diagnostics) const {
    Settings settings = settings_;
    change(settings);
    core::Diagnostics repeated;
    Context loading{values_, settings.limits, repeated, interrupted};
    core::Asset asset = reanima::load(input_, companions_, loading);
    Context context{values_, settings.limits, diagnostics, interrupted};
    return applySettings(std::move(asset), settings, input_, companions_, context);
}

/// The options, with the model that is wanted.
/// @throws UsageError if nothing says which of several that is, core::DecodeError if there is no such model
OptionValues Sides::chosenModel() const {
    OptionValues values = own_.options.input.values;
    const std::vector<std::string>& wanted = own_.options.models;
    core::Diagnostics repeated;  // loading says the same again
    Context context{values, own_.options.input.limits, repeated, {}};
    const std::vector<ModelSummary> models = modelsOf(input_, companions_, context);
    const std::vector<ModelSummary> converted = convertedModels(models);
    if (wanted.size() > 1 || (wanted.empty() && converted.size() > 1))
        throw UsageError(fmt::format("{}: a mapping is for one model; --model chooses one of {}: {}", file_,
                                     converted.size(), described(converted)));
    if (wanted.empty())
        return values;
    std::vector<std::string> missing;
    const std::vector<ModelSummary> chosen = chosenFrom(models, wanted, missing);
    if (!missing.empty())
        throw core::DecodeError(holdsNoModel(missing.front(), models)).inFile(file_);
    if (chosen.size() > 1)
        throw UsageError(fmt::format("{}: a mapping is for one model; --model chooses one of {}: {}", file_,
                                     chosen.size(), described(chosen)));
    values.set(kModelOption.key, chosen.front().id);
    return values;
}

core::Asset Sides::load(core::Diagnostics& diagnostics) {
    Context context{values_, own_.options.input.limits, diagnostics, {}};
    core::Asset asset = loadWithRest(input_, companions_, context);
    if (!asset.skeleton)
        throw core::DecodeError("holds pictures: there are no joints").inFile(file_);
    for (const core::Joint& joint : asset.skeleton->joints)
        ownNames_.push_back(joint.name);
    (void)applyNames(asset, own_.settings.names, diagnostics);
    return asset;
}

}  // namespace reanima::tool
