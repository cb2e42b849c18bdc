#include "tools/reanima/jobs/job_runner.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/memory.h"
#include "formats/common_options.h"
#include "formats/format.h"
#include "formats/load.h"
#include "gltf_export/gltf_patch.h"
#include "measures/mesh_facts.h"
#include "pictures/png.h"
#include "tools/reanima/front/content_key.h"
#include "tools/reanima/jobs/gltf_output.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/platform.h"

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
        job.held ? Input(job.held->take(), {}, job.format, kShownStandardInput) : options.read(toUtf8(job.path));
    input.format = job.format != nullptr ? job.format : &formatOf(input);
    return input;
}

using FileUse = std::function<void(const fs::path&, const File&)>;

/// Files of which those beside others are kept once they were read, as long as they take little of the memory.
class KeptFiles : public core::FilesThrough {
  public:
    KeptFiles(std::shared_ptr<const core::Files> files, FileUse uses)
        : FilesThrough(std::move(files)), uses_(std::move(uses)) {}

    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    /// From now on nobody is told of files.
    void stopTelling() { uses_ = {}; }

  protected:
    [[nodiscard]] std::optional<File> readBeside(const std::string& path, std::string_view name,
                                                 const core::Limits& limits) const override {
        const std::pair<std::string, std::string> key(path, name);
        const std::lock_guard lock(mutex_);
        const auto known = kept_.find(key);
        if (known != kept_.end()) {
            core::requireRoomForFile(known->second.bytes.size(), known->second.path, limits);
            return known->second;
        }
        std::optional<File> file = FilesThrough::readBeside(path, name, uses_ ? limits.holding(bytes_) : limits);
        if (file && uses_) {
            uses_(fileOf(fromUtf8(file->path)), *file);
            if (bytes_ + file->bytes.size() <= limits.memory / kShareOfMemory) {
                bytes_ += file->bytes.size();
                kept_.emplace(key, *file);
            }
        }
        return file;
    }

  private:
    static constexpr std::uint64_t kShareOfMemory = 8;  // of what the limit allows: there may be two of these

    FileUse uses_;
    mutable std::mutex mutex_;
    mutable std::map<std::pair<std::string, std::string>, File> kept_;
    mutable std::uint64_t bytes_ = 0;
};

/// Reads what an input is made of besides its companions; the siblings of both give it from memory then.
/// @return its bytes
std::uint64_t holdParts(Source& source, const core::Limits& limits, const FileUse& uses) {
    const Format& format = *source.input.format;
    if (format.readParts == nullptr)
        return 0;
    std::vector<std::shared_ptr<KeptFiles>> kept;
    const auto keep = [&](Input& input) {
        input.siblings = input.siblings.through([&](std::shared_ptr<const core::Files> files) {
            return kept.emplace_back(std::make_shared<KeptFiles>(std::move(files), uses));
        });
    };
    keep(source.input);
    for (auto& [role, companion] : source.companions)
        keep(companion.input);
    core::Diagnostics repeated;  // loading says the same again
    const auto about = repeated.about(source.input.shownName());
    Context context{source.options, limits, repeated, interrupted, &source.input.siblings};
    try {
        format.readParts(source.input.file, source.companions, context);
    } catch (const core::DecodeError&) {  // NOLINT: loading says so
    }
    std::uint64_t bytes = 0;
    for (const std::shared_ptr<KeptFiles>& files : kept) {
        bytes += files->bytes();
        files->stopTelling();
    }
    return bytes;
}

/// An input, and the skeleton among the job's inputs if that is of the kind that its animations move.
struct InputOfJob {
    Input input;
    const Input* skeleton = nullptr;
};

/// A skeleton among the inputs takes precedence over one that is found beside an animation, unless it is the same.
void addSkeleton(Companions& companions, const InputOfJob& file) {
    if (file.skeleton == nullptr)
        return;
    const auto found = companions.find(Role::skeleton);
    if (found == companions.end() ||
        (!found->second.given && found->second.input.shownName() != file.skeleton->shownName())) {
        companions.erase(Role::skeleton);
        companions.emplace(Role::skeleton, Companion{*file.skeleton, true});
    }
}

/// The file that the joints of a source are in.
const std::string& skeletonOf(const Source& source) {
    const auto companion = source.companions.find(Role::skeleton);
    return (companion == source.companions.end() ? source.input : companion->second.input).shownName();
}

/// True if an earlier input shows what the character looks like.
bool isDressed(const Source& source, const std::vector<Source>& earlier) {
    const auto shows = [&](const Source& other) {
        return other.input.format->readParts != nullptr && skeletonOf(other) == skeletonOf(source);
    };
    return source.input.format->readParts != nullptr && std::ranges::any_of(earlier, shows);
}

/// @param earlier the inputs before it, of the same output
Source readSource(const JobInput& job, InputOfJob file, const Recipe& recipe, const core::Limits& limits,
                  const std::vector<Source>& earlier) {
    Source source{std::move(file.input), recipe.options.input.values};
    if (!job.model.empty())
        source.options.set(kModelOption.key, job.model);
    source.companions = withFoundCompanions(source.input, recipe.companionsFor(*source.input.format));
    addSkeleton(source.companions, file);
    if (isDressed(source, earlier))
        source.options.set(kNoMeshOption.key, 1.0);
    ContentKey key;
    const auto uses = [&](const fs::path& where, const File& used) {
        if (where != kStandardStream)
            source.files.push_back(where);
        key.add(used);
    };
    if (!job.model.empty())
        key.add(job.model);
    for (const auto& [name, value] : source.input.file.told)
        key.add(
            fmt::format("{}={}", name, std::visit([](const auto& told) { return fmt::format("{}", told); }, value)));
    uses(fileOf(job.path), source.input.file);
    for (const auto& [role, companion] : source.companions)
        if (!companion.given)
            uses(pathOf(companion.input), companion.input.file);
    source.partBytes = holdParts(source, limits, uses);
    if (const std::optional<Input> pack = packOfSkeleton(source.input, source.companions))
        uses(pathOf(*pack), pack->file);
    if (const Target* target = recipe.targetFor(*source.input.format))
        for (const File& beside : target->beside)
            uses(fromUtf8(target->path).parent_path() / fromUtf8(beside.name), beside);
    source.contentKey = key.text();
    return source;
}

std::uint64_t bytesOf(const Source& source) {
    std::uint64_t bytes = source.input.file.bytes.size() + source.partBytes;
    for (const auto& [role, companion] : source.companions)
        bytes += companion.input.file.bytes.size();
    return bytes;
}

/// The skeleton that the user names among several inputs.
std::optional<Input> skeletonAmong(const std::map<std::size_t, Input>& inputs) {
    const auto isSkeleton = [](const auto& input) { return input.second.format->kind == Kind::skeleton; };
    const auto found = std::ranges::find_if(inputs, isSkeleton);
    return inputs.size() > 1 && found != inputs.end() ? std::optional(found->second) : std::nullopt;
}

/// True if an animation that a pattern named moves another number of bones than the skeleton of its output.
bool isLeftOut(const JobInput& input, const core::Diagnostics& diagnostics) {
    const std::vector<core::Warning>& warnings = diagnostics.warnings();
    return input.mustFit &&
           std::ranges::find(warnings, core::Code::skeletonMismatch, &core::Warning::code) != warnings.end();
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
    const std::string meshes = asset.meshes.empty() ? "" : ", " + count(measures::trianglesOf(asset), "triangle");
    std::string text = fmt::format("{}{}, {}{}, {:.2f} m high", wrote, count(asset.clips.size(), "clip"),
                                   count(asset.skeleton ? asset.skeleton->joints.size() : 0, "joint"), meshes, height);
    if (rotationError)
        text += fmt::format(", rotations within {:.2g} degrees", *rotationError);
    if (!rates.empty())
        text += fmt::format("; set Blender's frame rate to {:.6g} before importing", fmt::join(rates, " or "));
    return text;
}

/// For a single input; names for many inputs match some of them each.
void noteUnusedNames(const std::vector<std::string>& unused, InputReport& report) {
    if (!unused.empty())
        report.diagnostics.note(
            core::Code::ignored, {},
            fmt::format("{} of the lines name nothing here (first: {})", unused.size(), unused.front()), {"names"});
}

/// A word of a command line, in quotes where a shell would take it apart.
std::string asWord(const std::string& text) {
    const bool isPlain = std::ranges::all_of(text, [](char c) {
        return core::isLetter(c) || core::isDigit(c) ||
               std::string_view("_-./\\:+,=@%~").find(c) != std::string_view::npos;
    });
    return isPlain && !text.empty() ? text : '"' + text + '"';
}

/// What has no mapping can have one.
std::string suggestion(const InputReport& report, const Recipe& recipe, const Target& target) {
    const InputOptions& input = recipe.options.input;
    std::string more;
    const auto add = [&more](const char* option, const std::string& value) {
        if (!value.empty())
            more += fmt::format(" {} {}", option, asWord(value));
    };
    add("--source-skeleton", input.sourceSkeleton);
    add("--model", report.model);
    add("--format", input.format);
    return fmt::format("; `reanima bind {} -s {}{} --suggest -o MAP.json` proposes one", asWord(report.input),
                       asWord(target.path), more);
}

/// Images that an output referred to before: what becomes of them is the user's decision.
/// @param before the images of the output that was there
/// @param now those of the output that is there
void noteLeftOver(const fs::path& output, const std::vector<fs::path>& before, const std::vector<fs::path>& now,
                  core::Diagnostics& diagnostics) {
    for (const fs::path& image : before)
        if (std::ranges::find(now, image) == now.end())
            diagnostics.note(core::Code::ignored, {},
                             fmt::format("{} stays there, although {} no longer refers to it", toUtf8(image),
                                         toUtf8(output.filename())));
}

void describe(InputReport& report, const core::Asset& asset) {
    report.joints = !asset.skeleton ? 0 : asset.skeleton->joints.size();
    report.triangles = measures::trianglesOf(asset);
    report.materials = asset.materials.size();
    report.textures = asset.images.size();
}

/// The names of images are known once the output is made. @throws UsageError
void checkImages(const std::vector<fs::path>& images, const std::vector<fs::path>& read, const RunOptions& options) {
    refuseClashes(images, read);
    if (!options.force)
        refuseExisting(images);
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

class JobRunner {
  public:
    JobRunner(const Job& job, const RunOptions& options) : job_(job), recipe_(*job.recipe), options_(options) {}

    JobResult run() {
        work();
        for (auto report = leftOut_.rbegin(); report != leftOut_.rend(); ++report)
            result_.reports.erase(result_.reports.begin() + static_cast<std::ptrdiff_t>(*report));
        return std::move(result_);
    }

    /// The names of the images beside the output.
    std::vector<std::string> imageNames() {
        readAll();
        std::vector<core::Asset> assets = decodeAll();
        return assets.empty() ? std::vector<std::string>()
                              : gltf::imageFileNames(finished(std::move(assets)), bufferNameOf(job_.output));
    }

  private:
    [[nodiscard]] bool isMadeAlready() const {
        return isMadeFrom(job_.output, contentKeyOf(recipe_, sources_, Pictures::none)) ||
               isMadeFrom(job_.output, contentKeyOf(recipe_, sources_, Pictures::some));
    }

    void work() {
        try {
            readAll();
            refuseClashes(options_.besides, result_.read);  // also what was found beside the inputs
            const bool isMade = options_.ifChanged && result_.status == kDone && isMadeAlready();
            if (isMade && !options_.policy.mayFail())
                return leaveUnchanged();
            std::vector<core::Asset> assets = decodeAll();
            if (!leftOut_.empty())
                noteLeftOut(result_.reports[sources_.front().report]);
            if (assets.empty())
                return;
            const core::Asset asset = finished(std::move(assets));
            if (isMade && result_.status == kDone)
                leaveUnchanged();
            else
                write(asset);
        } catch (...) {
            failAll(currentFailure());
        }
    }

    // -- reading ------------------------------------------------------------------------------------------------------

    void readAll() {
        for (const JobInput& input : job_.inputs)
            result_.reports.emplace_back(toUtf8(input.path), input.model, toUtf8(job_.output));
        result_.read = recipe_.files;
        std::map<std::size_t, Input> inputs;
        for (std::size_t i = 0; i < job_.inputs.size(); ++i)
            onlyInputFails(i, [&] { inputs.emplace(i, readInput(job_.inputs[i], recipe_, limits())); });
        const std::optional<Input> skeleton = skeletonAmong(inputs);
        for (auto& indexed : inputs)
            onlyInputFails(indexed.first, [&] {  // NOLINT: called at once
                const bool isIts = skeleton && indexed.second.format->needsSkeleton(*skeleton->format);
                addSource(indexed.first, {std::move(indexed.second), isIts ? &*skeleton : nullptr});
            });
        if (const Target* target = sources_.empty() ? nullptr : recipe_.targetFor(*sources_.front().input.format))
            for (const File& file : target->beside)
                filesHeld_ += file.bytes.size();
    }

    void addSource(std::size_t index, InputOfJob file) {
        Source source = readSource(job_.inputs[index], std::move(file), recipe_, limits(), sources_);
        filesHeld_ += bytesOf(source);
        source.report = index;
        result_.reports[index].format = std::string(source.input.format->id);
        result_.read.insert(result_.read.end(), source.files.begin(), source.files.end());
        sources_.push_back(std::move(source));
    }

    std::vector<core::Asset> decodeAll() {
        std::vector<core::Asset> assets;
        std::uint64_t held = 0;
        std::erase_if(sources_, [&](const Source& source) {
            return !onlyInputFails(source.report, [&] {
                std::optional<core::Asset> asset = decode(source, limits().holding(held));
                if (asset)
                    held += core::memoryOf(assets.emplace_back(*std::move(asset)));
            });
        });
        return assets;
    }

    /// @return nothing for an animation that is left out because it moves another number of bones
    std::optional<core::Asset> decode(const Source& source, const core::Limits& limits) {
        InputReport& report = result_.reports[source.report];
        Context context = contextFor(source, limits);
        core::Asset asset = load(source.input, source.companions, context);
        refuseEmpty(asset, source.input);
        if (isLeftOut(job_.inputs[source.report], report.diagnostics)) {
            leftOut_.insert(source.report);
            return std::nullopt;
        }
        refuseWarnings(report);
        report.clips = asset.clips.size() + (asset.video ? 1 : 0);
        for (const core::Clip& clip : asset.clips)
            report.frames += clip.frames;
        if (asset.video)
            report.frames += asset.video->count;
        return asset;
    }

    void noteLeftOut(InputReport& report) const {
        const auto about = report.diagnostics.about(report.input);
        report.diagnostics.note(core::Code::skeletonMismatch, {},
                                fmt::format("{} of {} animations move another number of bones and are left out",
                                            leftOut_.size(), std::ranges::count_if(job_.inputs, &JobInput::mustFit)));
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
            throw core::DecodeError(error.message(flagWording) + suggestion(report, recipe_, *target_));
        }
        noteUnusedNames(done.report.unusedNames, report);
        keep(done.report);
        refuseWarnings(report);
        return std::move(done.asset);
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
        refuseClashes(filesOf(job_.output), result_.read);  // also what was found beside the inputs
        const Pictures held = asset.video || !asset.images.empty() ? Pictures::some : Pictures::none;
        const gltf::GltfOptions gltfOptions{recipe_.settings.proxyMesh, contentKeyOf(recipe_, sources_, held),
                                            recipe_.settings.compact};
        gltf::GltfFile file = fileOf(asset, gltfOptions);
        const std::vector<fs::path> before = imagesWritten(job_.output);
        const std::vector<fs::path> images = imagePathsOf(job_.output, file);
        checkImages(images, result_.read, options_);
        if (gltfOptions.compact && !asset.clips.empty())
            rotationError_ = file.rotationError;
        const std::size_t bytes = writeFile(job_.output, std::move(file));
        noteLeftOver(job_.output, before, images, result_.reports[sources_.front().report].diagnostics);
        for (InputReport& report : result_.reports) {
            describe(report, asset);
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
    std::set<std::size_t> leftOut_;   ///< indices of inputs that move another number of bones
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
