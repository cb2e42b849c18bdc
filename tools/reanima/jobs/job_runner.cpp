#include "tools/reanima/jobs/job_runner.h"

#include <algorithm>
#include <chrono>

#include "formats/common_options.h"
#include "formats/format.h"
#include "formats/merge.h"
#include "tools/reanima/jobs/clip_files.h"
#include "tools/reanima/jobs/gltf_output.h"
#include "tools/reanima/jobs/job_advice.h"
#include "tools/reanima/jobs/job_reading.h"
#include "tools/reanima/jobs/job_writing.h"
#include "tools/reanima/system/files.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

/// Merges the inputs. Inputs that don't belong together are a usage error.
core::Asset mergedOrUsageError(std::vector<core::Asset> assets, const JobReading& reading) {
    try {
        return merge(std::move(assets), reading.limits());
    } catch (const core::DecodeError& error) {
        if (error.kind() == core::DecodeError::Kind::limit)
            throw;
        throw UsageError(error.what() + adviceForMotion(reading.sources()));
    }
}

void leaveUnchanged(const ExistingOutput& made, JobResult& result) {
    result.end = JobResult::End::unchanged;
    result.motion.clear();
    for (InputReport& report : result.reports) {
        report.unchanged = true;
        report.key = made.key;
        report.hash = made.hash;
    }
}

void skipAll(JobResult& result) {
    result.end = JobResult::End::skipped;
    for (InputReport& report : result.reports)
        report.skipped = true;
}

void failAll(Failure failure, JobResult& result) {
    result.failure = std::move(failure);
    result.status = std::max(result.status, result.failure->status);
    for (InputReport& report : result.reports)
        if (!report.failure)
            report.failure = result.failure;
}

/// Summarises changes to the asset for the user.
void keep(const PipelineReport& changes, const RunOptions& options, JobResult& result) {
    if (changes.binding)
        result.binding = changes.binding->toTable(options.shownLinks);
    if (changes.reduction)
        result.motion = changes.reduction->toLine();
    for (InputReport& each : result.reports) {
        each.binding = changes.binding;
        each.reduction = changes.reduction;
    }
}

class JobRunner {
  public:
    JobRunner(const Job& job, const RunOptions& options)
        : job_(job), options_(options), reading_(job, options, result_) {}

    JobResult run() {
        return resultOf([this] { convert(); });
    }

    LoadedJob load() {
        return loaded([this](LoadedJob& loaded, std::vector<core::Asset> assets) {
            if (std::optional<FinishedAsset> made = finished(std::move(assets)))
                loaded.asset = std::move(made->asset);
            loaded.own = std::move(own_);
        });
    }

    LoadedJob merge() {
        return loaded([this](LoadedJob& loaded, std::vector<core::Asset> assets) {
            loaded.asset = mergedOrUsageError(std::move(assets), reading_);
            reading_.tellFilesBeside();
        });
    }

  private:
    /// @param work skipped if planning found a failure
    JobResult resultOf(const std::function<void()>& work) {
        if (job_.failure) {
            failAll(options_.ranked(*job_.failure), result_);
            return std::move(result_);
        }
        try {
            work();
        } catch (...) {
            failAll(options_.ranked(currentFailure()), result_);
        }
        reading_.finishReports();
        return std::move(result_);
    }

    template <typename Make>
    LoadedJob loaded(const Make& make) {
        LoadedJob loaded;
        loaded.result = resultOf([&] {
            reading_.readAll();
            std::vector<core::Asset> assets = reading_.decodeAll();
            if (assets.empty())
                return;
            make(loaded, std::move(assets));
            loaded.first = reading_.takeFirst();
        });
        return loaded;
    }

    void convert() {
        reading_.readAll();
        const std::vector<Source>& sources = reading_.sources();
        const std::optional<ExistingOutput> made =
            options_.ifChanged && result_.status == kDone ? madeAlready(job_, sources) : std::nullopt;
        if (made && !options_.policy.mayFail()) {
            reading_.tellFilesBeside();
            return leaveUnchanged(*made, result_);
        }
        if (!made && !reading_.isMainMissing())
            refuseEditedOutput(job_, options_, result_);
        std::vector<core::Asset> assets = reading_.decodeAll();
        if (assets.empty())
            return;
        const std::optional<FinishedAsset> asset = finished(std::move(assets));
        if (asset && made && result_.status == kDone)
            leaveUnchanged(*made, result_);
        else if (asset)
            writeJob({job_, options_, sources, *asset, kept(), own_ ? Whose::inputs : Whose::rigs, reading_.limits()},
                     result_);
    }

    /// @return empty for a skipped input
    std::optional<FinishedAsset> finished(std::vector<core::Asset> assets) {
        const Recipe& recipe = *job_.recipe;
        const Source& source = reading_.sources().front();
        InputReport& report = result_.reports[source.report];
        const auto about = report.diagnostics.about(source.input.shownName());
        core::Asset asset = mergedOrUsageError(std::move(assets), reading_);
        const core::Limits limits = reading_.limits();
        Context context{source.options, limits, report.diagnostics, interrupted};
        result_.target = recipe.targetFor(*source.input.format);
        FinishedAsset made;
        try {
            made = applySettings(std::move(asset), recipe.settingsFor(*source.input.format), source.input,
                                 source.companions, context);
        } catch (const core::DecodeError& error) {
            if (options_.skipsOthers && error.kind() == core::DecodeError::Kind::noHumanoid) {
                noteNoHumanoid(error, report);
                refuseWarnings(report);
                skipAll(result_);
                return std::nullopt;
            }
            if (result_.target == nullptr || error.hint().key != "map" ||
                error.kind() == core::DecodeError::Kind::option)
                throw;
            throw withSuggestion(error, report, recipe, *result_.target);
        }
        noteUnusedNames(made.report.unusedNames, report);
        own_ = ownFile(made.asset, report.diagnostics);
        reading_.tellFilesBeside();
        keep(made.report, options_, result_);
        refuseWarnings(report);
        return made;
    }

    /// @throws core::DecodeError if warnings about an input or its rig count as errors
    void refuseWarnings(const InputReport& report) const {
        options_.refuseWarnings(report, report.diagnostics);
        if (result_.target != nullptr)
            options_.refuseWarnings(report, result_.target->diagnostics);
    }

    /// The file of the only input, if the output keeps it. It must be a glTF file with meshes, and its clips must stay
    /// on its joints.
    [[nodiscard]] std::optional<Target> ownFile(const core::Asset& asset, core::Diagnostics& diagnostics) const {
        const Input& input = reading_.sources().front().input;
        const Recipe& recipe = *job_.recipe;
        if (result_.target != nullptr || reading_.sources().size() > 1 || recipe.options.form->clipWriter != nullptr ||
            recipe.settings.proxyMesh || !input.readMotion || !asset.skeleton)
            return std::nullopt;
        return ownTarget(input, *asset.skeleton, reading_.limits(), diagnostics, options_.looks);
    }

    /// The file that the output keeps and adds clips to: the rig's or the input's own. Null for a new file.
    [[nodiscard]] const Target* kept() const {
        return job_.recipe->keepsMesh() ? result_.target : own_ ? &*own_ : nullptr;
    }

    const Job& job_;
    const RunOptions& options_;
    JobResult result_;
    JobReading reading_;
    std::optional<Target> own_;  ///< the input's own file, if the output keeps it
};

}  // namespace

std::vector<fs::path> allOutputsOf(const Job& job, const RunOptions& options) {
    // Only formats that offer --no-mesh have meshes, and --no-mesh leaves them out.
    const auto hasImages = [&job](const JobInput& input) {
        return input.format == nullptr ||
               (input.format->offers(kNoMeshOption.key) && !job.recipe->options.input.values.flag(kNoMeshOption.key));
    };
    std::vector<fs::path> files = job.isPerClip ? std::vector<fs::path>() : filesOf(job.output);
    if (job.failure || (!job.isPerClip && (!isTextGltf(job.output) || std::ranges::none_of(job.inputs, hasImages))))
        return files;
    try {
        const std::optional<core::Asset> asset = loadJob(job, options).asset;
        if (asset && job.isPerClip)
            return clipOutputs(job, *asset);
        if (asset)
            for (const std::string& name : gltf::imageFileNames(*asset, bufferNameOf(job.output)))
                files.push_back(job.output.parent_path() / fromUtf8(name));
    } catch (...) {  // NOLINT: reported by conversion
    }
    return files;
}

LoadedJob loadJob(const Job& job, const RunOptions& options) { return JobRunner(job, options).load(); }

LoadedJob mergeJob(const Job& job, const RunOptions& options) { return JobRunner(job, options).merge(); }

JobResult runJob(const Job& job, const RunOptions& options) {
    const auto begin = std::chrono::steady_clock::now();
    JobResult result = JobRunner(job, options).run();
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    for (InputReport& report : result.reports)
        report.milliseconds = time.count();
    return result;
}

}  // namespace reanima::tool
