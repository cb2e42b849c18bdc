#include "tools/reanima/verbs/sides.h"

#include <algorithm>

#include <fmt/format.h>

#include "formats/load.h"
#include "tools/reanima/front/binding.h"
#include "tools/reanima/front/command_words.h"
#include "tools/reanima/jobs/plan.h"
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

Sides::Sides(const ConversionOptions& options, const std::string& file, const Console& console)
    : file_(file), own_(std::make_shared<Recipe>(withoutRig(options), Recipe::Outputs::one)) {
    read(console);
    InputOptions named = options.input;
    named.motion = {file};
    target_ = readTarget(named, named.readSkeleton(), RigFile::read);
    core::Diagnostics diagnostics;
    own_->settings.names = namesFor(own_->settings.names, file_, merged_.asset->model);
    stand(diagnostics);
    printOrFail(diagnostics, file, console);
    printOrFail(target_.diagnostics, file, console);
    settings_ = own_->settings;
    settings_.options = merged_.first->options;
    settings_.rig = target_.rig;
}

/// Reads the input with its clips.
void Sides::read(const Console& console) {
    const auto ofJobFile = [](const JobFile&, const fs::path& path) -> Request {
        throw UsageError(
            fmt::format("{}: is a job file, but bind takes a single input. Use `reanima convert`", toUtf8(path)));
    };
    const Plan plan = makePlan({{file_}, "", own_}, ofJobFile, 1);
    if (!plan.jobs.empty())
        merged_ = mergeJob(plan.jobs.front(), {.policy = console.policy, .onlyInput = true});
    const auto refuse = [](const std::optional<Failure>& failure) {
        if (failure && failure->status == kUsage)
            throw UsageError(failure->message);
        if (failure)
            throw core::DecodeError({}, failure->message,
                                    failure->status == kLimitExceeded ? core::DecodeError::Kind::limit
                                                                      : core::DecodeError::Kind::malformed);
    };
    refuse(merged_.result.failure);
    for (const InputReport& report : merged_.result.reports) {
        refuse(report.failure);
        printOrFail(report.diagnostics, file_, console);
    }
    if (!merged_.asset || !merged_.asset->skeleton)
        throw core::DecodeError("is a video or an image, without joints").inFile(file_);
}

std::string Sides::rigName() const { return toUtf8(fromUtf8(target_.path).filename()); }

std::vector<fs::path> Sides::files() const {
    std::vector<fs::path> files = merged_.result.read;
    for (const File& file : target_.beside)
        files.push_back(fromUtf8(target_.path).parent_path() / fromUtf8(file.name));
    files.push_back(fromUtf8(target_.path));
    files.insert(files.end(), own_->files.begin(), own_->files.end());
    return files;
}

SuggestedLinks Sides::suggested(core::Diagnostics& diagnostics) const {
    Settings stated;
    stated.names = settings_.names;
    stated.map = withCurrentNames(settings_.map, skeleton(), ownNames_, rig());
    return core::inFile(file_, [&] { return suggestLinks(asset_, *target_.rig, diagnostics, stated); });
}

FinishedAsset Sides::bound(const std::function<void(Settings&)>& change, core::Diagnostics& diagnostics) const {
    Settings settings = settings_;
    change(settings);
    Context context{merged_.first->options, settings.limits, diagnostics, interrupted};
    return applySettings(*merged_.asset, settings, merged_.first->input, merged_.first->companions, context);
}

/// Applies the rest pose and the user's names to the input.
void Sides::stand(core::Diagnostics& diagnostics) {
    Context context{merged_.first->options, own_->options.input.limits, diagnostics, {}};
    asset_ = *merged_.asset;
    setDefaultRest(asset_, merged_.first->input, merged_.first->companions, context);
    for (const core::Joint& joint : asset_.skeleton->joints)
        ownNames_.push_back(joint.name);
    (void)applyNames(asset_, own_->settings.names, diagnostics);
}

}  // namespace reanima::tool
