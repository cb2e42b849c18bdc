#include "tools/reanima/job_runner.h"

#include <algorithm>
#include <chrono>
#include <map>

#include <fmt/format.h>

#include "core/memory.h"
#include "gltf_export/gltf_patch.h"
#include "importers/common_options.h"
#include "importers/format.h"
#include "importers/load.h"
#include "tools/reanima/content_key.h"
#include "tools/reanima/files.h"
#include "tools/reanima/gltf_output.h"
#include "tools/reanima/mesh_facts.h"
#include "tools/reanima/platform.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

/// An input with all that is read for it.
struct Source {
    Input input;
    OptionValues options;  ///< the recipe's, and which model of the input is wanted
    Companions companions{};
    std::vector<fs::path> files{};  ///< the input and what was found beside it
    std::string contentKey{};       ///< of those files
    std::uint64_t partBytes = 0;    ///< of what is held besides
    std::size_t report = 0;         ///< its index among the job's reports
};

Input readInput(const JobInput& job, const Recipe& recipe, const core::Limits& limits) {
    InputOptions options = recipe.options.input;
    options.limits = limits;
    Input input =
        job.held ? asInput(job.held->take(), job.path, job.format, options.limits) : options.read(toUtf8(job.path));
    input.format = job.format != nullptr ? job.format : &formatOf(input);
    return input;
}

/// Reads what an input is made of besides its companions, once: `siblings` gives it from memory then.
std::uint64_t holdParts(Input& input, const OptionValues& options,
                        const std::function<void(const fs::path&, const File&)>& uses) {
    if (input.format->parts == nullptr || !input.siblings)
        return 0;
    std::uint64_t bytes = 0;
    auto parts = std::make_shared<std::map<std::string, File, std::less<>>>();
    for (const std::vector<std::string>& names : input.format->parts(input.file, options))
        for (const std::string& name : names) {
            std::optional<File> file = input.siblings(name);
            if (!file)
                continue;
            uses(fileOf(fromUtf8(std::string(input.folder()) + name)), *file);
            bytes += file->bytes.size();
            parts->emplace(name, *std::move(file));
            break;
        }
    input.siblings = [parts, siblings = std::move(input.siblings)](std::string_view name) -> std::optional<File> {
        const auto known = parts->find(name);
        return known != parts->end() ? known->second : siblings(name);
    };
    return bytes;
}

Source readSource(const JobInput& job, const Recipe& recipe, const core::Limits& limits) {
    Source source{readInput(job, recipe, limits), recipe.options.input.values};
    if (!job.model.empty())
        source.options.set(kModelOption.key, job.model);
    const Companions given = recipe.givenFor(*source.input.format);
    source.companions = withFoundCompanions(source.input, given);
    ContentKey key;
    const auto uses = [&](const fs::path& where, const File& file) {
        if (where != kStandardStream)
            source.files.push_back(where);
        key.add(file);
    };
    if (!job.model.empty())
        key.add(job.model);
    if (source.input.rate)
        key.add(std::to_string(*source.input.rate));
    uses(fileOf(job.path), source.input.file);
    for (const auto& [role, companion] : source.companions)
        if (!companion.given)
            uses(pathOf(companion.input), companion.input.file);
    source.partBytes = holdParts(source.input, source.options, uses);
    if (const std::optional<Input> pack = packOfSkeleton(source.input, source.companions))
        uses(pathOf(*pack), pack->file);
    if (const Target* target = recipe.targetFor(*source.input.format))
        for (const File& file : target->beside)
            uses(fromUtf8(target->path).parent_path() / fromUtf8(file.name), file);
    source.contentKey = key.text();
    return source;
}

std::uint64_t bytesOf(const Source& source) {
    std::uint64_t bytes = source.input.file.bytes.size() + source.partBytes;
    for (const auto& [role, companion] : source.companions)
        bytes += companion.input.file.bytes.size();
    return bytes;
}

/// A limit has a status of its own where nothing else is to be done.
Failure ranked(Failure failure, const RunOptions& options) {
    if (failure.status == kLimitExceeded && !options.onlyInput)
        failure.status = kInputFailed;
    return failure;
}

/// What was written, for the user.
std::string summaryOf(const core::Asset& asset, const fs::path& output, double height,
                      const std::optional<double>& rotationError) {
    const auto count = [](std::size_t n, const char* what) {
        return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
    };
    const std::string wrote = fmt::format("wrote {}: ", output == kStandardStream ? "standard output" : toUtf8(output));
    if (isPicture(asset))
        return fmt::format("{}{} x {} pixels", wrote, asset.images.front().width, asset.images.front().height);
    if (asset.video) {
        const core::ImageSequence& images = *asset.video;
        return fmt::format(
            "{}{} of {} x {} pixels, {:.6g} per second; set Blender's frame rate to {:.6g} before importing", wrote,
            count(images.count, "picture"), images.shownWidth(), images.shownHeight(), images.rate(), images.rate());
    }
    std::vector<double> rates;
    for (const core::Clip& clip : asset.clips)
        if (std::find(rates.begin(), rates.end(), clip.rate) == rates.end())
            rates.push_back(clip.rate);
    const std::string meshes = asset.meshes.empty() ? "" : ", " + count(trianglesOf(asset), "triangle");
    std::string text = fmt::format("{}{}, {}{}, {:.2f} m high", wrote, count(asset.clips.size(), "clip"),
                                   count(asset.skeleton ? asset.skeleton->joints.size() : 0, "joint"), meshes, height);
    if (rotationError)
        text += fmt::format(", rotations within {:.2g} degrees", *rotationError);
    if (!rates.empty())
        text += fmt::format("; set Blender's frame rate to {:.6g} before importing", fmt::join(rates, " or "));
    return text;
}

class JobRunner {
  public:
    JobRunner(const Job& job, const RunOptions& options) : job_(job), recipe_(*job.recipe), options_(options) {}

    JobResult run() {
        for (const JobInput& input : job_.inputs)
            result_.reports.emplace_back(toUtf8(input.path), input.model, toUtf8(job_.output));
        try {
            readAll();
            const bool isMade = options_.ifChanged && result_.status == kDone && isMadeFrom(job_.output, contentKey());
            if (isMade && !options_.policy.mayFail()) {
                leaveUnchanged();
                return std::move(result_);
            }
            std::vector<core::Asset> assets = decodeAll();
            if (assets.empty())
                return std::move(result_);
            const core::Asset asset = finished(std::move(assets));
            if (isMade && result_.status == kDone)
                leaveUnchanged();
            else
                write(asset);
        } catch (...) {
            failAll(currentFailure());
        }
        return std::move(result_);
    }

    /// The names of the images beside the output.
    std::vector<std::string> imageNames() {
        readAll();
        std::vector<core::Asset> assets = decodeAll();
        if (assets.empty())
            return {};
        const core::Asset asset = finished(std::move(assets));
        return gltf::imageFileNames(asset, bufferNameOf(job_.output));
    }

  private:
    // -- reading ------------------------------------------------------------------------------------------------------

    void readAll() {
        result_.read = recipe_.files;
        for (std::size_t i = 0; i < job_.inputs.size(); ++i)
            onlyInputFails(i, [&] {
                Source source = readSource(job_.inputs[i], recipe_, limits());
                filesHeld_ += bytesOf(source);
                source.report = i;
                result_.reports[i].format = std::string(source.input.format->id);
                result_.read.insert(result_.read.end(), source.files.begin(), source.files.end());
                sources_.push_back(std::move(source));
            });
        if (const Target* target = sources_.empty() ? nullptr : recipe_.targetFor(*sources_.front().input.format))
            for (const File& file : target->beside)
                filesHeld_ += file.bytes.size();
    }

    [[nodiscard]] std::string contentKey() const {
        ContentKey key;
        key.add(recipe_.contentKey);
        for (const Source& source : sources_)
            key.add(source.contentKey);
        return key.text();
    }

    std::vector<core::Asset> decodeAll() {
        std::vector<core::Asset> assets;
        std::uint64_t held = 0;
        std::erase_if(sources_, [&](const Source& source) {
            return !onlyInputFails(source.report, [&] {
                held += core::memoryOf(assets.emplace_back(decode(source, limits().holding(held))));
            });
        });
        return assets;
    }

    core::Asset decode(const Source& source, const core::Limits& limits) {
        InputReport& report = result_.reports[source.report];
        Context context = contextFor(source, limits);
        core::Asset asset = load(source.input, source.companions, context);
        refuseEmpty(asset, source.input);
        refuseWarnings(report);
        report.clips = asset.clips.size() + (asset.video ? 1 : 0);
        for (const core::Clip& clip : asset.clips)
            report.frames += clip.frames;
        if (asset.video)
            report.frames += asset.video->count;
        return asset;
    }

    Context contextFor(const Source& source, const core::Limits& limits) {
        return {source.options, limits, result_.reports[source.report].diagnostics, interrupted};
    }

    /// For what is done while the files of the job are held.
    [[nodiscard]] core::Limits limits() const { return recipe_.options.input.limits.holding(filesHeld_); }

    void refuseWarnings(const InputReport& report) const {
        if (options_.policy.fails(report.diagnostics) ||
            (target_ != nullptr && options_.policy.fails(target_->diagnostics)))
            throw core::DecodeError("warnings count as errors").inFile(report.input);
    }

    // -- from what was loaded to what is written ----------------------------------------------------------------------

    core::Asset finished(std::vector<core::Asset> assets) {
        const Source& source = sources_.front();
        InputReport& report = result_.reports[source.report];
        const auto about = report.diagnostics.about(source.input.shownName());
        core::Asset asset = mergedOrUsageError(std::move(assets));
        const core::Limits all = limits();
        Context context = contextFor(source, all);
        result_.target = target_ = recipe_.targetFor(*source.input.format);
        FinishedAsset done;
        try {
            done = applySettings(std::move(asset), recipe_.settingsFor(*source.input.format), source.input,
                                 source.companions, context);
        } catch (const core::DecodeError& error) {
            if (target_ == nullptr || error.hint().key != "map" || error.kind() == core::DecodeError::Kind::option)
                throw;
            throw core::DecodeError(error.message(flagWording) + suggestion(report));
        }
        noteUnusedNames(done.report.unusedNames, report);
        keep(done.report);
        refuseWarnings(report);
        return std::move(done.asset);
    }

    /// What has no mapping can have one.
    [[nodiscard]] std::string suggestion(const InputReport& report) const {
        const std::string& own = recipe_.options.input.sourceSkeleton;
        return fmt::format("; `reanima bind {} -s {}{} --suggest -o MAP.json` proposes one", report.input,
                           target_->path, own.empty() ? "" : " --source-skeleton " + own);
    }

    /// Names for many inputs match some of them each: that is worth a note for a single input alone.
    void noteUnusedNames(const std::vector<std::string>& unused, InputReport& report) const {
        if (!unused.empty() && options_.onlyInput)
            report.diagnostics.note(
                core::Code::ignored, {},
                fmt::format("{} of the lines name nothing here (first: {})", unused.size(), unused.front()), {"names"});
    }

    void keep(const PipelineReport& changes) {
        height_ = changes.height;
        if (changes.binding)
            result_.binding = changes.binding->toTable(options_.shownLinks);
        if (changes.reduction)
            result_.motion = changes.reduction->toLine();
        for (InputReport& each : result_.reports) {
            each.binding = changes.binding;
            each.reduction = changes.reduction;
        }
    }

    /// Inputs that don't belong together are a mistake of the command line.
    core::Asset mergedOrUsageError(std::vector<core::Asset> assets) const {
        try {
            return merge(std::move(assets), limits());
        } catch (const core::DecodeError& error) {
            if (error.kind() == core::DecodeError::Kind::limit)
                throw;
            throw UsageError(error.what());
        }
    }

    void write(const core::Asset& asset) {
        checkOutputs(filesOf(job_.output), result_.read, true);  // also what was found beside the inputs
        const gltf::GltfOptions gltfOptions{recipe_.settings.proxyMesh, contentKey(), recipe_.settings.compact};
        gltf::GltfFile file = fileOf(asset, gltfOptions);
        checkOutputs(imagePathsOf(job_.output, file), result_.read, options_.force);
        if (gltfOptions.compact && !asset.clips.empty())
            rotationError_ = file.rotationError;
        const std::size_t bytes = writeFile(job_.output, std::move(file));
        for (InputReport& report : result_.reports) {
            report.joints = !asset.skeleton ? 0 : asset.skeleton->joints.size();
            report.triangles = trianglesOf(asset);
            report.materials = asset.materials.size();
            report.textures = asset.images.size();
            report.height = height_;
            report.bytes = bytes;
            report.rotationError = rotationError_;
        }
        result_.end = JobResult::End::converted;
        result_.written = summaryOf(asset, job_.output, height_, rotationError_);
    }

    [[nodiscard]] gltf::GltfFile fileOf(const core::Asset& asset, const gltf::GltfOptions& gltfOptions) {
        if (!recipe_.keepsMesh())
            return fileFor(job_.output, asset, gltfOptions, limits());
        const core::Rig rig{*asset.skeleton, target_->rig->nodes, target_->rig->restFrom};
        return gltf::addAnimations(asGltfInput(*target_), rig, asset.clips, gltfOptions, limits(),
                                   result_.reports.front().diagnostics, bufferNameOf(job_.output));
    }

    void leaveUnchanged() {
        result_.end = JobResult::End::unchanged;
        result_.motion.clear();
        for (InputReport& report : result_.reports)
            report.unchanged = true;
    }

    // -- failures -----------------------------------------------------------------------------------------------------

    /// @return true if the work on one input was done; else its report says why not, and the others go on
    bool onlyInputFails(std::size_t report, const std::function<void()>& work) {
        try {
            work();
            return true;
        } catch (...) {
            Failure failure = ranked(currentFailure(), options_);
            result_.status = std::max(result_.status, failure.status);
            result_.reports[report].failure = std::move(failure);
            return false;
        }
    }

    void failAll(Failure failure) {
        result_.failure = ranked(std::move(failure), options_);
        result_.status = std::max(result_.status, result_.failure->status);
        for (InputReport& report : result_.reports)
            if (!report.failure)
                report.failure = result_.failure;
    }

    const Job& job_;
    const Recipe& recipe_;
    const RunOptions& options_;
    std::vector<Source> sources_;     ///< the inputs that are good so far
    std::uint64_t filesHeld_ = 0;     ///< bytes of their files, and of what the rig refers to
    const Target* target_ = nullptr;  ///< what the clips are bound to
    double height_ = 0;
    std::optional<double> rotationError_;  ///< of a compact output with clips
    JobResult result_;
};

JobResult refused(const Job& job, const RunOptions& options) {
    JobResult result;
    result.failure = ranked(*job.failure, options);
    result.status = result.failure->status;
    for (const JobInput& input : job.inputs)
        result.reports.emplace_back(toUtf8(input.path), input.model, toUtf8(job.output)).failure = result.failure;
    return result;
}

}  // namespace

std::vector<fs::path> imagesOf(const Job& job, const RunOptions& options) {
    // Only these formats have meshes, which the option leaves out.
    const auto hasImages = [&job](const JobInput& input) {
        return input.format == nullptr || (std::ranges::find(input.format->options, kNoMeshOption.key,
                                                             &OptionInfo::key) != input.format->options.end() &&
                                           !job.recipe->options.input.values.flag(kNoMeshOption.key));
    };
    std::vector<fs::path> images;
    if (job.failure || !isTextGltf(job.output) || std::ranges::none_of(job.inputs, hasImages))
        return images;
    try {
        for (const std::string& name : JobRunner(job, options).imageNames())
            images.push_back(job.output.parent_path() / fromUtf8(name));
    } catch (...) {  // NOLINT: converting says why
    }
    return images;
}

JobResult runJob(const Job& job, const RunOptions& options) {
    const auto begin = std::chrono::steady_clock::now();
    JobResult result = job.failure ? refused(job, options) : JobRunner(job, options).run();
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    for (InputReport& report : result.reports)
        report.milliseconds = time.count();
    return result;
}

}  // namespace reanima::tool
