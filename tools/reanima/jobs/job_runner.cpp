#include "tools/reanima/jobs/job_runner.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/memory.h"
#include "core/rest_height.h"
#include "formats/common_options.h"
#include "formats/format.h"
#include "formats/load.h"
#include "formats/merge.h"
#include "measures/mesh_facts.h"
#include "pictures/png.h"
#include "pipeline/linked_clips.h"
#include "tools/reanima/front/content_key.h"
#include "tools/reanima/front/output_form.h"
#include "tools/reanima/jobs/existing_output.h"
#include "tools/reanima/jobs/gltf_output.h"
#include "tools/reanima/jobs/job_advice.h"
#include "tools/reanima/jobs/job_sources.h"
#include "tools/reanima/jobs/own_file.h"
#include "tools/reanima/system/files.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

/// The files read for an input and beside it, for the user.
void addFiles(const Source& source, JobResult& result) {
    result.read.insert(result.read.end(), source.files.begin(), source.files.end());
    for (const auto& [role, companion] : source.companions)
        result.companions.push_back(fmt::format("{}: uses {} as its {}{}", source.input.shownName(),
                                                companion.input.shownName(), wordForRole(role),
                                                companion.given ? "" : ", which is beside it"));
    if (!source.parts.empty())
        result.companions.push_back(fmt::format("{}: uses for its meshes and textures: {}", source.input.shownName(),
                                                fmt::join(source.parts, ", ")));
}

/// @return nothing for an animation that is left out because it moves another number of bones
std::optional<core::Asset> loadIfFits(const Source& source, const JobInput& named, Context& context) {
    try {
        core::Asset asset = load(source.input, source.companions, context);
        refuseEmpty(asset, source.input);
        return named.mustFit && movesOthers(context.diagnostics) ? std::nullopt : std::optional(std::move(asset));
    } catch (const core::DecodeError& error) {
        if (!named.mustFit || error.kind() != core::DecodeError::Kind::skeletonMismatch)
            throw;
        return std::nullopt;
    }
}

/// An exceeded limit has its own status if there is only one input.
Failure ranked(Failure failure, const RunOptions& options) {
    if (failure.status == kLimitExceeded && !options.onlyInput)
        failure.status = kInputFailed;
    return failure;
}

/// Leaves out the clips of a copy that earlier inputs have by their numbers.
void leaveOutKnown(core::Asset& copy, const std::vector<core::Asset>& earlier) {
    std::set<std::uint32_t> known;
    for (const core::Asset& asset : earlier)
        for (const core::Clip& clip : asset.clips)
            known.insert(clip.id);
    std::erase_if(copy.clips, [&](const core::Clip& clip) { return known.contains(clip.id); });
}

/// Inputs that don't belong together are a usage error.
core::Asset mergedOrUsageError(std::vector<core::Asset> assets, const std::vector<Source>& sources,
                               const core::Limits& limits) {
    try {
        return merge(std::move(assets), limits);
    } catch (const core::DecodeError& error) {
        if (error.kind() == core::DecodeError::Kind::limit)
            throw;
        throw UsageError(error.what() + adviceForMotion(sources));
    }
}

MergedJob mergedFrom(std::vector<core::Asset> assets, const std::vector<Source>& sources, const core::Limits& limits) {
    MergedJob merged;
    merged.asset = mergedOrUsageError(std::move(assets), sources, limits);
    merged.input = sources.front().input;
    merged.companions = sources.front().companions;
    merged.options = sources.front().options;
    return merged;
}

/// Bytes of the files that a rig refers to.
std::uint64_t bytesBeside(const Target* target) {
    std::uint64_t bytes = 0;
    for (const File& file : target == nullptr ? std::vector<File>() : target->beside)
        bytes += file.bytes.size();
    return bytes;
}

/// What decoding large files frees matters beside the limit of memory.
void giveBackAfter(std::uint64_t bytesOfFiles) {
    constexpr std::uint64_t kLarge = 16 << 20;
    if (bytesOfFiles > kLarge)
        giveBackFreeMemory();
}

/// The file that an output is, with the clips; null: there is none.
struct KeptFile {
    const Target* target;
    Whose whose;
};

gltf::GltfFile outputFile(const Job& job, const KeptFile& kept, const core::Asset& asset,
                          const gltf::GltfOptions& gltfOptions, const core::Limits& limits,
                          core::Diagnostics& diagnostics) {
    if (kept.target != nullptr)
        return keptFile(job, *kept.target, kept.whose, asset, gltfOptions, limits, diagnostics);
    refuseAvatar(job);
    return fileFor(job.output, asset, gltfOptions, limits);
}

/// The height of what is shown: of the meshes of a rig, if it has any.
double heightWith(const Target* dressed, double height) {
    return dressed == nullptr || !dressed->rig
               ? height
               : core::restHeight(core::surfaceOf(*dressed->rig, 1), dressed->rig->skeleton).value_or(height);
}

ShownHeight shownHeight(const core::Asset& asset, const Target* dressed, double height) {
    return {height, !asset.meshes.empty() || (dressed != nullptr && dressed->rig && !dressed->rig->surface.empty())};
}

/// The clips and frames of an input.
void countClips(const core::Asset& asset, InputReport& report) {
    report.clips = asset.clips.size() + (asset.video ? 1 : 0);
    for (const core::Clip& clip : asset.clips)
        report.frames += clip.frames;
    if (asset.video)
        report.frames += asset.video->count;
}

void describe(InputReport& report, const core::Asset& asset) {
    report.joints = !asset.skeleton ? 0 : asset.skeleton->joints.size();
    report.triangles = measures::trianglesOf(asset);
    report.materials = asset.materials.size();
    report.textures = asset.images.size();
}

/// Messages about a written output.
struct MadeOutput {
    double height;
    std::size_t bytes;
    std::string key;
    std::string hash;
    std::optional<double> rotationError;
};

void describeMade(std::vector<InputReport>& reports, const core::Asset& asset, const MadeOutput& made) {
    for (InputReport& report : reports) {
        describe(report, asset);
        report.height = made.height;
        report.bytes = made.bytes;
        report.key = made.key;
        report.hash = made.hash;
        report.rotationError = made.rotationError;
    }
}

/// Also checks files found beside the inputs, files that could not be read while planning, and names of images, which
/// are only known now.
/// @throws UsageError
void checkOutputs(const std::vector<fs::path>& files, const std::vector<fs::path>& read, const RunOptions& options) {
    refuseClashes(files, read);
    if (!options.force && !options.ifChanged)
        refuseExisting(files);
}

/// All files of an output.
std::vector<fs::path> filesWith(const std::vector<fs::path>& images, const fs::path& output) {
    std::vector<fs::path> files = filesOf(output);
    files.insert(files.end(), images.begin(), images.end());
    return files;
}

/// Outputs that may have been edited are not replaced by --if-changed.
/// @param check throws UsageError if one of the outputs was edited
void refuseEditedAmong(const std::vector<fs::path>& outputs, const RunOptions& options, JobResult& result,
                       const std::function<void()>& check) {
    if (!options.ifChanged || options.force)
        return;
    try {
        check();
    } catch (const UsageError&) {
        result.refused = outputs;
        throw;
    }
}

enum class Pictures { none, some };

/// @param held whether the output holds pictures of this program's making
std::string contentKeyOf(const Recipe& recipe, const std::vector<Source>& sources, Pictures held) {
    ContentKey key;
    key.add(recipe.contentKey);
    for (const Source& source : sources)
        key.add(source.contentKey);
    if (held == Pictures::some)
        key.add(pictures::pngWriter());
    return key.text();
}

/// The existing output, if it is up to date.
std::optional<ExistingOutput> madeAlready(const Job& job, const std::vector<Source>& sources) {
    const ExistingOutput found = lookAt(job.output);
    const bool isMade = found.condition == Condition::asWritten &&
                        std::ranges::any_of(std::array{Pictures::none, Pictures::some}, [&](Pictures held) {
                            return found.key == contentKeyOf(*job.recipe, sources, held);
                        });
    return isMade ? std::optional(found) : std::nullopt;
}

/// Messages about inputs that the user did not name are attached to the first one.
/// @param said indices of inputs whose reports are complete
void foldLinked(const Job& job, std::vector<InputReport>& reports, const std::set<std::size_t>& said) {
    InputReport& first = reports.front();
    for (std::size_t i = 1; i < reports.size(); ++i) {
        if (!job.inputs[i].link || said.contains(i))
            continue;
        first.clips += reports[i].clips;
        first.frames += reports[i].frames;
        for (const core::Warning& warning : reports[i].diagnostics.warnings())
            first.diagnostics.add(warning);
    }
}

/// The same for an input, and for one whose skeleton the user named.
void tellLink(core::Asset& asset, const JobInput& input, const Source& source) {
    const auto skeleton = source.companions.find(Role::skeleton);
    if (input.link)
        return reanima::tellLink(asset, *input.link, namesByOf(source.options));
    if (skeleton == source.companions.end() || !skeleton->second.given)
        return;
    for (core::Clip& clip : asset.clips)
        if (clip.linkedBy == core::LinkedBy::nothing)
            clip.linkedBy = core::LinkedBy::given;
}

/// A damaged animation that the user did not name is left out.
/// @return false for any other failure
bool isPassedOver(const JobInput& input, const Failure& failure, InputReport& first) {
    if (!input.link || failure.status != kInputFailed)
        return false;
    first.diagnostics.warn(core::Code::damaged, {}, failure.message + "; the animation is left out");
    return true;
}

/// To be called in a handler.
/// @param report the input's index
void failInput(std::size_t report, const Job& job, const RunOptions& options, JobResult& result) {
    Failure failure = currentFailure();
    if (isPassedOver(job.inputs[report], failure, result.reports.front()))
        return;
    failure = ranked(std::move(failure), options);
    result.status = std::max(result.status, failure.status);
    result.reports[report].failure = std::move(failure);
}

/// Reads the inputs of a job; the report of one that can't be read says why.
/// @param held grows by what they take
/// @throws core::DecodeError of the kind `limit` if they take too much together; one that is too large alone fails
/// alone
std::map<std::size_t, Input> readInputs(const Job& job, const RunOptions& options, JobResult& result,
                                        std::uint64_t& held) {
    const core::Limits& limits = job.recipe->options.input.limits;
    const auto requireRoom = [&](std::uint64_t bytes) {
        if (job.inputs.size() > 1 && bytes <= limits.memory)
            core::inFile(toUtf8(job.output), [&] {
                core::requireMemory(held + bytes, limits, {"inputs", std::nullopt});
            });
    };
    std::map<std::size_t, Input> inputs;
    for (std::size_t i = 0; i < job.inputs.size(); ++i) {
        requireRoom(sizeOnDisk(job.inputs[i].path));
        try {
            Input& input = inputs.emplace(i, readInput(job.inputs[i], *job.recipe, limits.holding(held))).first->second;
            held += bytesHeldBy(input);
        } catch (...) {
            failInput(i, job, options, result);
            held += kBytesOfInput;
        }
        requireRoom(0);
    }
    return inputs;
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

/// Facts of the unchanged output for the report. Outputs of several inputs are not attributed to one; a rig's own file
/// and a stand-in mesh say nothing about the input.
void describeUnchanged(const Job& job, std::vector<InputReport>& reports) {
    OutputFacts facts = factsOfOutput(job.output);
    if (job.recipe->keepsMesh())
        facts = {.bytes = facts.bytes};
    if (job.recipe->settings.proxyMesh)
        facts.triangles = facts.materials = std::nullopt;
    if (reports.size() > 1)
        facts.clips = facts.frames = std::nullopt;
    for (InputReport& report : reports)
        report.stated = facts;
}

/// @param leftOut indices of inputs that are left out
void finishReports(const Job& job, const std::set<std::size_t>& leftOut, const RunOptions& options, JobResult& result) {
    foldLinked(job, result.reports, leftOut);
    for (std::size_t i = result.reports.size(); i-- > 0;)
        if (job.inputs[i].link || leftOut.contains(i))
            result.reports.erase(result.reports.begin() + static_cast<std::ptrdiff_t>(i));
    if (result.end == JobResult::End::unchanged && options.reports && result.outputs.empty())
        describeUnchanged(job, result.reports);
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

/// A summary of changes to the asset, for the user.
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

/// The context for making one file per clip.
struct ClipWork {
    const Job& job;
    const RunOptions& options;
    std::size_t report;  ///< index of what says what is doubtful
    core::Limits limits;
};

/// The standing pose of the written asset.
struct Stand {
    const std::optional<StandingPose>& pose;
    double height;           ///< in metres
    std::string contentKey;  ///< of what is written
};

/// Writes every clip into a file of its own, or the only one into the output.
void writeEachClip(const ClipWork& work, const core::Asset& asset, const Stand& stand, JobResult& result) {
    InputReport& report = result.reports[work.report];
    const auto about = report.diagnostics.about(report.input);
    const std::vector<fs::path> paths = core::inFile(report.input, [&] { return clipOutputs(work.job, asset); });
    if (work.options.claimed != nullptr)
        work.options.claimed->claim(paths);
    checkOutputs(paths, result.read, work.options);
    const ClipFiles files(asset, work.job.recipe->options.form, stand.pose, stand.contentKey, report.diagnostics);
    if (work.options.policy.fails(report.diagnostics))
        throw core::DecodeError("warnings count as errors").inFile(report.input);
    refuseEditedAmong(paths, work.options, result,
                      [&] { files.refuseEdited(paths, *work.options.earlier, work.limits); });
    result.outputs = files.write(paths, work.options.ifChanged ? Existing::keepEqual : Existing::replace, work.limits);
    const bool isUnchanged = std::ranges::all_of(result.outputs, &ClipOutput::isUnchanged);
    for (InputReport& each : result.reports) {
        describe(each, asset);
        each.height = stand.height;
        each.unchanged = isUnchanged;
        for (const ClipOutput& output : result.outputs)
            each.bytes += output.bytes;
    }
    result.end = isUnchanged ? JobResult::End::unchanged : JobResult::End::converted;
    if (!isUnchanged)
        result.written = summaryOf(result.outputs, {stand.height, !asset.meshes.empty()});
}

/// The error of a main input; null if none failed.
const Failure* failureOfMain(const Job& job, const JobResult& result) {
    for (std::size_t i = 0; i < job.inputs.size(); ++i)
        if (result.reports[i].failure && isMain(job, job.inputs[i]))
            return &*result.reports[i].failure;
    return nullptr;
}

/// Without a main input there is no output; the other inputs fail with it without further messages.
bool failsWithMain(const Job& job, JobResult& result) {
    const Failure* main = failureOfMain(job, result);
    if (main == nullptr)
        return false;
    Failure same = *main;
    same.isQuiet = true;
    for (std::size_t i = 0; i < job.inputs.size(); ++i) {
        InputReport& report = result.reports[i];
        if (!report.failure || (&*report.failure != main && report.failure->message == same.message))
            report.failure = same;
        if (job.inputs[i].link)
            report.clips = report.frames = 0;  // of which the main input's report would tell
    }
    return true;
}

/// Refuses to replace an output that was edited, before its inputs are decoded. With one file per clip, those files are
/// checked once they are known.
void refuseEditedOutput(const Job& job, const RunOptions& options, JobResult& result) {
    if (failureOfMain(job, result) == nullptr && !job.isPerClip && holdsMarks(job.output))
        refuseEditedAmong({job.output}, options, result, [&job] { refuseEdited(job.output, {}); });
}

/// @throws core::DecodeError if warnings about an input or its rig count as errors
void refuseWarnings(const InputReport& report, const Target* target, const RunOptions& options) {
    if (options.policy.fails(report.diagnostics) || (target != nullptr && options.policy.fails(target->diagnostics)))
        throw core::DecodeError("warnings count as errors").inFile(report.input);
}

class JobRunner {
  public:
    JobRunner(const Job& job, const RunOptions& options) : job_(job), recipe_(*job.recipe), options_(options) {}

    JobResult run() {
        orFail([this] { convert(); });
        return takeResult();
    }

    LoadedJob load() {
        LoadedJob loaded;
        orFail([&] {
            std::vector<core::Asset> assets = decoded();
            if (assets.empty())
                return;
            loaded.format = sources_.front().input.format;
            loaded.asset = finished(std::move(assets));
            loaded.own = std::move(own_);
        });
        loaded.result = takeResult();
        return loaded;
    }

    MergedJob merge() {
        MergedJob merged;
        orFail([&] {
            if (std::vector<core::Asset> assets = decoded(); !assets.empty())
                merged = mergedFrom(std::move(assets), sources_, limits());
        });
        merged.result = takeResult();
        return merged;
    }

  private:
    void orFail(const std::function<void()>& work) {
        try {
            work();
        } catch (...) {
            failAll(ranked(currentFailure(), options_), result_);
        }
    }

    JobResult takeResult() {
        finishReports(job_, leftOut_, options_, result_);
        return std::move(result_);
    }

    /// The inputs; none if there is nothing to go on with.
    std::vector<core::Asset> decoded() {
        readAll();
        std::vector<core::Asset> assets = decodeAll();
        if (failsWithMain(job_, result_))
            assets.clear();
        return assets;
    }

    void convert() {
        readAll();
        const std::optional<ExistingOutput> made =
            options_.ifChanged && result_.status == kDone ? madeAlready(job_, sources_) : std::nullopt;
        if (made && !options_.policy.mayFail())
            return leaveUnchanged(*made, result_);
        if (!made)
            refuseEditedOutput(job_, options_, result_);
        std::vector<core::Asset> assets = decodeAll();
        if (failsWithMain(job_, result_) || assets.empty())
            return;
        const std::optional<core::Asset> asset = finished(std::move(assets));
        if (asset && made && result_.status == kDone)
            leaveUnchanged(*made, result_);
        else if (asset && holdsOneClip(recipe_.options.form) && !isPicture(*asset))
            writeEachClip({job_, options_, sources_.front().report, limits()}, *asset,
                          {standing_, height_, contentKeyOf(recipe_, sources_, Pictures::none)}, result_);
        else if (asset)
            write(*asset);
    }

    void readAll() {
        for (const JobInput& input : job_.inputs)
            result_.reports.emplace_back(toUtf8(input.path), input.model, toUtf8(job_.output));
        result_.read = recipe_.files;
        std::map<std::size_t, Input> inputs = readInputs(job_, options_, result_, filesHeld_);
        const SharedSkeleton shared = skeletonAmong(job_.inputs, inputs);
        SharedSkeleton ofFirst;
        for (auto& indexed : inputs)
            onlyInputFails(indexed.first, [&] {             // NOLINT: called at once
                filesHeld_ -= bytesHeldBy(indexed.second);  // a source takes its place
                const bool mustFit = job_.inputs[indexed.first].mustFit;
                if (!shared.input && !ofFirst.input && mustFit)
                    ofFirst.input = skeletonOfFirst(sources_);
                const SharedSkeleton& skeleton = shared.input || !mustFit ? shared : ofFirst;
                if (mustFit && isOfOtherKind(indexed.second, skeleton, sources_)) {
                    ofOtherKind_ += leftOut_.insert(indexed.first).second ? 1 : 0;
                    return;
                }
                addSource(indexed.first, skeleton.with(std::move(indexed.second)));
            });
        if (!sources_.empty())
            filesHeld_ += bytesBeside(recipe_.targetFor(*sources_.front().input.format));
        refuseClashes(options_.besides, result_.read);  // also what was found beside the inputs
    }

    void addSource(std::size_t index, InputOfJob file) {
        const JobInput& input = job_.inputs[index];
        Source source = readSource(input, std::move(file), recipe_, limits(), sources_);
        const auto isLinked = [](const JobInput& each) { return each.link.has_value(); };
        if (!input.pose.empty() && std::ranges::none_of(job_.inputs, isLinked))
            notePose(source.input.shownName(), input.pose, result_.reports[index].diagnostics);
        filesHeld_ += bytesHeldBy(source);
        source.report = index;
        result_.reports[index].format = std::string(source.input.format->id);
        addFiles(source, result_);
        sources_.push_back(std::move(source));
    }

    std::vector<core::Asset> decodeAll() {
        std::vector<core::Asset> assets;
        std::uint64_t held = 0;
        std::erase_if(sources_, [&](const Source& source) {
            return !onlyInputFails(source.report, [&] {
                std::optional<core::Asset> asset = decode(source, assets, limits().holding(held));
                if (asset && job_.inputs[source.report].mustFit && isThereAlready(*asset, assets))
                    result_.reports[source.report].clips = result_.reports[source.report].frames = 0;
                else if (asset)
                    held += core::memoryOf(assets.emplace_back(*std::move(asset)));
            });
        });
        if (!sources_.empty())
            noteLeftOut(leftOut_.size() - ofOtherKind_, ofOtherKind_, job_, result_.reports[sources_.front().report]);
        giveBackAfter(filesHeld_);
        return assets;
    }

    /// @return nothing for an animation that is left out because it moves another number of bones
    std::optional<core::Asset> decode(const Source& source, const std::vector<core::Asset>& earlier,
                                      const core::Limits& limits) {
        InputReport& report = result_.reports[source.report];
        Context context = contextFor(source, limits);
        std::optional<core::Asset> fitting = loadIfFits(source, job_.inputs[source.report], context);
        if (!fitting) {
            leftOut_.insert(source.report);
            return std::nullopt;
        }
        core::Asset asset = *std::move(fitting);
        tellLink(asset, job_.inputs[source.report], source);
        if (job_.inputs[source.report].isCopy)
            leaveOutKnown(asset, earlier);
        refuseWarnings(report, target_, options_);
        countClips(asset, report);
        return asset;
    }

    Context contextFor(const Source& source, const core::Limits& limits) {
        return {source.options, limits, result_.reports[source.report].diagnostics, interrupted};
    }

    /// For what is done while the files of the job are held.
    [[nodiscard]] core::Limits limits() const { return recipe_.options.input.limits.holding(filesHeld_); }

    /// @return nothing for what is skipped
    std::optional<core::Asset> finished(std::vector<core::Asset> assets) {
        const Source& source = sources_.front();
        InputReport& report = result_.reports[source.report];
        const auto about = report.diagnostics.about(source.input.shownName());
        core::Asset asset = mergedOrUsageError(std::move(assets), sources_, limits());
        const core::Limits all = limits();
        Context context = contextFor(source, all);
        result_.target = target_ = recipe_.targetFor(*source.input.format);
        FinishedAsset done;
        try {
            done = applySettings(std::move(asset), recipe_.settingsFor(*source.input.format), source.input,
                                 source.companions, context);
        } catch (const core::DecodeError& error) {
            if (options_.skipsOthers && error.kind() == core::DecodeError::Kind::noHumanoid) {
                noteNoHumanoid(error, report);
                refuseWarnings(report, target_, options_);
                skipAll(result_);
                return std::nullopt;
            }
            if (target_ == nullptr || error.hint().key != "map" || error.kind() == core::DecodeError::Kind::option)
                throw;
            throw withSuggestion(error, report, recipe_, *target_);
        }
        noteUnusedNames(done.report.unusedNames, report);
        height_ = done.report.height;
        standing_ = std::move(done.standing);
        if (target_ == nullptr && sources_.size() == 1)
            own_ = ownFile(recipe_, source, done.asset, limits(), report.diagnostics, options_.looks);
        height_ = heightWith(targetWithMeshes(), height_);
        keep(done.report, options_, result_);
        refuseWarnings(report, target_, options_);
        return std::move(done.asset);
    }

    void write(const core::Asset& asset) {
        checkOutputs(filesOf(job_.output), result_.read, options_);
        const Pictures held = asset.video || !asset.images.empty() ? Pictures::some : Pictures::none;
        const gltf::GltfOptions gltfOptions{recipe_.settings.proxyMesh, contentKeyOf(recipe_, sources_, held),
                                            recipe_.settings.compact};
        const KeptFile kept{targetWithMeshes(), own_ ? Whose::inputs : Whose::rigs};
        gltf::GltfFile file = outputFile(job_, kept, asset, gltfOptions, limits(), result_.reports.front().diagnostics);
        const std::vector<fs::path> before = imagesWritten(job_.output);
        const std::vector<fs::path> images = imagePathsOf(job_.output, file);
        checkOutputs(filesWith(images, job_.output), result_.read, options_);
        refuseEditedAmong({job_.output}, options_, result_, [&] { refuseEditedParts(job_.output, file); });
        if (gltfOptions.compact && !asset.clips.empty())
            rotationError_ = file.rotationError;
        const std::string hash = file.hash;
        const std::size_t ownClips = file.ownAnimations;
        const std::size_t bytes = writeFile(job_.output, std::move(file));
        noteLeftOver(job_.output, before, images, result_.reports[sources_.front().report].diagnostics);
        describeMade(result_.reports, asset, {height_, bytes, gltfOptions.contentKey, hash, rotationError_});
        result_.end = JobResult::End::converted;
        result_.written = summaryOf(asset, job_.output, shownHeight(asset, targetWithMeshes(), height_), rotationError_,
                                    adviceFor(asset, job_.inputs.front(), *sources_.front().input.format));
        if (const Target* dressed = targetWithMeshes())
            result_.written += wordsForRig(*dressed, own_ ? 0 : ownClips);
    }

    /// The file that the output is, with the clips: the rig's or the input's own; null if it is neither.
    [[nodiscard]] const Target* targetWithMeshes() const {
        return recipe_.keepsMesh() ? target_ : own_ ? &*own_ : nullptr;
    }

    /// @return true if the work on one input was done; else its report says why not, and the others go on
    bool onlyInputFails(std::size_t report, const std::function<void()>& work) {
        try {
            work();
            return true;
        } catch (...) {
            failInput(report, job_, options_, result_);
            return false;
        }
    }

    const Job& job_;
    const Recipe& recipe_;
    const RunOptions& options_;
    std::set<std::size_t> leftOut_;   ///< indices of inputs that move another skeleton
    std::size_t ofOtherKind_ = 0;     ///< of these, made for another kind
    std::vector<Source> sources_;     ///< the inputs that are good so far
    std::uint64_t filesHeld_ = 0;     ///< bytes of their files, and of what the rig refers to
    const Target* target_ = nullptr;  ///< what the clips are bound to
    std::optional<Target> own_;       ///< the input's own file, which an output keeps
    double height_ = 0;
    std::optional<StandingPose> standing_;
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
        const std::optional<core::Asset> asset = JobRunner(job, options).load().asset;
        if (asset)
            for (const std::string& name : gltf::imageFileNames(*asset, bufferNameOf(job.output)))
                images.push_back(job.output.parent_path() / fromUtf8(name));
    } catch (...) {  // NOLINT: converting says why
    }
    return images;
}

std::vector<fs::path> clipOutputsOf(const Job& job, const RunOptions& options) {
    if (job.failure)
        return {};
    try {
        const std::optional<core::Asset> asset = JobRunner(job, options).load().asset;
        return asset ? clipOutputs(job, *asset) : std::vector<fs::path>();
    } catch (...) {  // NOLINT: converting says why
        return {};
    }
}

LoadedJob loadJob(const Job& job, const RunOptions& options) {
    if (job.failure)
        return {std::nullopt, nullptr, std::nullopt, refused(job, options)};
    return JobRunner(job, options).load();
}

MergedJob mergeJob(const Job& job, const RunOptions& options) {
    if (job.failure)
        return {.asset = std::nullopt, .result = refused(job, options)};
    return JobRunner(job, options).merge();
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
