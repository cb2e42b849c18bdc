#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <xxhash.h>

#include "core/edit.h"
#include "core/text.h"
#include "gltf_export/gltf_file.h"
#include "importers/load.h"
#include "importers/naming.h"
#include "tools/reanima/files.h"
#include "tools/reanima/options.h"
#include "tools/reanima/platform.h"
#include "tools/reanima/report.h"
#include "tools/reanima/rest.h"
#include "tools/reanima/verbs.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

struct ConvertOptions {
    InputOptions input;
    std::vector<std::string> inputs;
    std::string output;
    std::vector<std::string> clips;
    std::string namesFile;
    std::string nameTemplate;
    std::string rest;
    std::string interpolation = "linear";
    std::vector<std::string> loopKey;
    bool loopKeySet = false;
    bool proxyMesh = false;
    bool endJoints = false;
    bool force = false;
    std::string report;
};

constexpr std::array<std::string_view, 2> kInterpolations = {"linear", "step"};

/// Inputs that go into one output.
struct Job {
    std::vector<fs::path> inputs;
    fs::path output;  ///< "-" is standard output
};

bool isStandardOutput(const fs::path& output) { return output == "-"; }
bool isTextGltf(const fs::path& output) { return lowerCase(toUtf8(output.extension())) == ".gltf"; }
fs::path bufferFileOf(const fs::path& output) { return fs::path(output).replace_extension(".bin"); }

// ---------------------------------------------------------------------------------------------------------------------
// From the command line to jobs

fs::path glbNameFor(const fs::path& input) {
    return fromUtf8(std::string(stemOf(toUtf8(input.filename()))) + ".glb");
}

bool namesFolder(const std::string& output) {
    return output.back() == '/' || output.back() == '\\' || fs::is_directory(fromUtf8(output));
}

std::vector<fs::path> filesBelow(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        if (entry->is_regular_file(error))
            files.push_back(entry->path());
    if (error)
        throw core::DecodeError("can't be read: " + error.message()).inFile(toUtf8(folder));
    std::sort(files.begin(), files.end());
    return files;
}

struct Plan {
    std::vector<Job> jobs;
    std::size_t skipped = 0;  ///< files in folders that hold nothing to convert
};

/// Adds skeletons as rigs of their own, but not those whose place an animation of the same name takes: it holds them.
void addRigs(std::vector<Job>& jobs, std::vector<Job> rigs) {
    std::set<fs::path> taken;
    for (const Job& job : jobs)
        taken.insert(job.output);
    for (Job& rig : rigs)
        if (!taken.contains(rig.output))
            jobs.push_back(std::move(rig));
}

Plan planFolder(const ConvertOptions& options) {
    const fs::path folder = fromUtf8(options.output);
    Plan plan;
    for (const std::string& name : options.inputs) {
        const fs::path input = fromUtf8(name);
        if (!fs::is_directory(input)) {
            plan.jobs.push_back({{input}, folder / glbNameFor(input)});
            continue;
        }
        std::vector<Job> rigs;
        for (const fs::path& file : filesBelow(input)) {
            const Format* format = findFormat(options.input.read(toUtf8(file)));
            if (format == nullptr || format->load == nullptr) {
                ++plan.skipped;
                continue;
            }
            const fs::path mirrored = folder / file.lexically_relative(input).parent_path();
            (format->kind == Kind::skeleton ? rigs : plan.jobs).push_back({{file}, mirrored / glbNameFor(file)});
        }
        addRigs(plan.jobs, std::move(rigs));
    }
    return plan;
}

Plan planJobs(const ConvertOptions& options) {
    Plan plan;
    if (!options.output.empty() && options.output != "-" && namesFolder(options.output))
        return planFolder(options);
    for (const std::string& name : options.inputs)
        if (fs::is_directory(fromUtf8(name)))
            throw UsageError(fmt::format("{}: is a folder; -o FOLDER/ converts the files below it", name));
    if (options.output.empty()) {
        for (const std::string& name : options.inputs)
            plan.jobs.push_back({{fromUtf8(name)}, glbNameFor(fromUtf8(name))});
        return plan;
    }
    Job job;
    for (const std::string& name : options.inputs)
        job.inputs.push_back(fromUtf8(name));
    job.output = fromUtf8(options.output);
    const std::string extension = lowerCase(toUtf8(job.output.extension()));
    std::error_code error;
    const fs::file_status status = fs::status(job.output, error);
    const bool device = fs::exists(status) && !fs::is_regular_file(status);
    if (!isStandardOutput(job.output) && !device && extension != ".glb" && extension != ".gltf")
        throw UsageError(fmt::format("-o {}: expected a name that ends in .glb or .gltf, a folder that ends in /, or -",
                                     options.output));
    plan.jobs.push_back(std::move(job));
    return plan;
}

std::vector<fs::path> outputsOf(const std::vector<Job>& jobs) {
    std::vector<fs::path> outputs;
    for (const Job& job : jobs) {
        if (isStandardOutput(job.output))
            continue;
        outputs.push_back(job.output);
        if (isTextGltf(job.output))
            outputs.push_back(bufferFileOf(job.output));
    }
    return outputs;
}

std::vector<fs::path> inputsOf(const std::vector<Job>& jobs, const ConvertOptions& options) {
    std::vector<fs::path> inputs;
    for (const Job& job : jobs)
        inputs.insert(inputs.end(), job.inputs.begin(), job.inputs.end());
    for (const std::string& other :
         {options.input.skeleton, options.input.sourceSkeleton, options.input.events, options.namesFile})
        if (!other.empty())
            inputs.push_back(fromUtf8(other));
    return inputs;
}

// ---------------------------------------------------------------------------------------------------------------------
// One job

/// Collects everything that the bytes of an output depend on.
class ContentKey {
  public:
    ContentKey() : state_(XXH3_createState()) {
        XXH3_128bits_reset(state_);
        add(std::string_view("reanima " REANIMA_VERSION));
    }
    ~ContentKey() { XXH3_freeState(state_); }
    ContentKey(const ContentKey&) = delete;
    ContentKey& operator=(const ContentKey&) = delete;

    void add(core::Bytes bytes) {
        const std::uint64_t size = bytes.size();  // so that no two lists of parts are the same stream
        XXH3_128bits_update(state_, &size, sizeof size);
        XXH3_128bits_update(state_, bytes.data(), bytes.size());
    }
    void add(std::string_view text) {
        add(core::Bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));  // NOLINT
    }
    [[nodiscard]] std::string text() const {
        const XXH128_hash_t hash = XXH3_128bits_digest(state_);
        return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
    }

  private:
    XXH3_state_t* state_;
};

std::string optionsAsText(const ConvertOptions& options) {
    std::string text;
    for (const auto& [key, value] : options.input.values.all())
        text += std::visit([&key = key](const auto& v) { return fmt::format("{}={};", key, v); }, value);
    for (const std::string& clip : options.clips)
        text += "clip=" + clip + ";";
    for (const std::string& clip : options.loopKey)
        text += "loop=" + clip + ";";
    return text + fmt::format("format={};skeleton-format={};companion={};name={};rest={};interpolation={};loop={};mesh={};"
                              "ends={}",
                              options.input.format, options.input.skeletonFormat, !options.input.noCompanion,
                              options.nameTemplate, options.rest, options.interpolation, options.loopKeySet,
                              options.proxyMesh, options.endJoints);
}

/// Reads and decodes the inputs of a job; inputs that give nothing are reported and left out.
class JobRunner {
  public:
    JobRunner(const ConvertOptions& options, const Companions& given, const Names& names, const Console& console)
        : options_(options), given_(given), names_(names), console_(console) {}

    /// @return the reports of the job's inputs; the exit status is in status()
    std::vector<InputReport> run(const Job& job) {
        std::vector<core::Asset> assets;
        std::optional<Source> first;
        for (const fs::path& path : job.inputs) {
            InputReport& report = reports_.emplace_back(toUtf8(path), toUtf8(job.output));
            if (std::optional<core::Asset> asset = decode(path, report, first))
                assets.push_back(std::move(*asset));
        }
        if (!assets.empty())
            convert(job, std::move(assets), *first);
        for (InputReport& report : reports_) {
            console_.print(report.diagnostics);
            if (!report.error.empty())
                console_.error(report.error);
        }
        if (!written_.empty())
            console_.say(written_);
        return std::move(reports_);
    }

    [[nodiscard]] int status() const { return status_; }

  private:
    /// An input with its companions.
    struct Source {
        Input input;
        Companions companions;
    };

    /// @param first becomes the first input that gives something
    std::optional<core::Asset> decode(const fs::path& path, InputReport& report, std::optional<Source>& first) {
        try {
            const Input input = options_.input.read(toUtf8(path));
            Context context{options_.input.values, options_.input.limits, report.diagnostics};
            const Companions own = withFoundCompanions(input, given_);
            report.format = std::string(formatOf(input).id);
            core::Asset asset = load(input, own, context);
            key_.add(input.file.name);
            key_.add(input.file.bytes);
            for (const auto& [role, companion] : own) {
                key_.add(companion.input.file.name);
                key_.add(companion.input.file.bytes);
            }
            refuseEmpty(asset, input);
            if (console_.policy.fails(report.diagnostics)) {
                fail(report, fmt::format("{}: warnings count as errors", input.shownName()), kInputFailed);
                return std::nullopt;
            }
            report.clips = asset.clips.size();
            for (const core::Clip& clip : asset.clips)
                report.frames += clip.frames;
            for (const core::ImageSequence& images : asset.images) {
                ++report.clips;
                report.frames += images.count;
            }
            if (!first)
                first = Source{input, own};
            return asset;
        } catch (const core::DecodeError& error) {
            report.field = error.field();
            report.offset = error.offset();
            const bool limit = error.kind() == core::DecodeError::Kind::limit && options_.inputs.size() == 1;
            fail(report, error.what(), limit ? kLimitExceeded : kInputFailed);
            return std::nullopt;
        }
    }

    void convert(const Job& job, std::vector<core::Asset> assets, const Source& source) {
        InputReport& first = *std::find_if(reports_.begin(), reports_.end(),
                                           [](const InputReport& report) { return report.error.empty(); });
        core::Asset asset = mergeOrRefuse(std::move(assets));
        Context context{options_.input.values, options_.input.limits, first.diagnostics};
        setRestAsAsked(asset, options_.rest, source.input, source.companions, options_.input, context);
        applyNames(asset, names_);
        selectClips(asset, first);
        if (!options_.nameTemplate.empty())
            applyTemplate(asset, options_.nameTemplate);
        editClips(asset);
        for (core::Skeleton& skeleton : asset.skeletons)
            if (options_.endJoints)
                core::addEndJoints(skeleton);
        const double height = reportSize(asset, first);
        if (console_.policy.fails(first.diagnostics)) {
            fail(first, fmt::format("{}: warnings count as errors", first.input), kInputFailed);
            return;
        }
        const std::size_t bytes = write(job, asset);
        for (InputReport& report : reports_) {
            report.joints = asset.skeletons.empty() ? 0 : asset.skeletons.front().joints.size();
            report.height = height;
            report.bytes = bytes;
        }
        written_ = summary(job, asset, height);
    }

    static core::Asset mergeOrRefuse(std::vector<core::Asset> assets) {
        try {
            return merge(std::move(assets));
        } catch (const core::DecodeError& error) {
            throw UsageError(error.what());
        }
    }

    void selectClips(core::Asset& asset, InputReport& report) const {
        if (options_.clips.empty())
            return;
        for (const std::string& selection : keepClips(asset, options_.clips))
            report.diagnostics.warn(core::Code::ignored, {}, fmt::format("--clip {} matches no clip", selection));
        if (asset.clips.empty())
            throw core::DecodeError("--clip matches no clip").inFile(report.input);
    }

    void editClips(core::Asset& asset) const {
        for (const std::string& selection : options_.loopKey)
            if (!selection.empty() && clipNamed(asset, selection) == nullptr)
                throw UsageError(fmt::format("--loop-key {}: there is no such clip", selection));
        for (core::Clip& clip : asset.clips) {
            const bool chosen = options_.loopKey.empty() ||
                                std::any_of(options_.loopKey.begin(), options_.loopKey.end(), [&](const std::string& s) {
                                    return s.empty() || clipNamed(asset, s) == &clip;
                                });
            if (options_.loopKeySet && chosen)
                core::addLoopKey(clip);
            core::setInterpolation(
                clip, options_.interpolation == "step" ? core::Interpolation::step : core::Interpolation::linear);
        }
    }

    /// Height of the rest pose in metres.
    static double reportSize(const core::Asset& asset, InputReport& report) {
        if (asset.skeletons.empty())
            return 1;  // pictures
        const core::Skeleton& skeleton = asset.skeletons.front();
        const double height = core::verticalExtent(skeleton, core::restPose(skeleton)).height();
        constexpr double kTallest = 50;
        constexpr double kSmallest = 0.05;
        if (skeleton.origin != core::Skeleton::Origin::madeUp && (height > kTallest || height < kSmallest))
            report.diagnostics.warn(core::Code::implausibleSize, {},
                                    fmt::format("the rest pose is {:.4g} m high; --scale changes it", height));
        return height;
    }

    std::size_t write(const Job& job, const core::Asset& asset) {
        gltf::GltfOptions gltfOptions;
        gltfOptions.proxyMesh = options_.proxyMesh;
        key_.add(optionsAsText(options_));
        gltfOptions.contentKey = key_.text();
        if (isTextGltf(job.output)) {
            const fs::path bufferFile = bufferFileOf(job.output);
            const gltf::GltfPair pair = gltf::writeGltf(asset, gltfOptions, toUtf8(bufferFile.filename()));
            writeOutput(bufferFile, pair.buffer);
            writeOutput(job.output, pair.json);
            return pair.json.size() + pair.buffer.size();
        }
        const core::ByteVector glb = gltf::writeGlb(asset, gltfOptions);
        writeOutput(job.output, glb);
        return glb.size();
    }

    static std::string summary(const Job& job, const core::Asset& asset, double height) {
        const auto count = [](std::size_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); };
        const std::string wrote =
            "wrote " + (isStandardOutput(job.output) ? std::string("standard output") : toUtf8(job.output)) + ": ";
        if (!asset.images.empty()) {
            const core::ImageSequence& images = asset.images.front();
            return fmt::format("{}{} of {} x {} pixels, {:.6g} a second; set Blender's frame rate to {:.6g} before importing",
                               wrote, count(images.count, "picture"), images.shownWidth(), images.shownHeight(),
                               images.rate(), images.rate());
        }
        std::vector<double> rates;
        for (const core::Clip& clip : asset.clips)
            if (std::find(rates.begin(), rates.end(), clip.rate) == rates.end())
                rates.push_back(clip.rate);
        std::string text = fmt::format("{}{}, {}, {:.2f} m high", wrote, count(asset.clips.size(), "clip"),
                                       count(asset.skeletons.front().joints.size(), "joint"), height);
        if (!rates.empty())
            text += fmt::format("; set Blender's frame rate to {:.6g} before importing", fmt::join(rates, " or "));
        return text;
    }

    void fail(InputReport& report, std::string message, int status) {
        report.error = std::move(message);
        status_ = status;
    }

    const ConvertOptions& options_;
    const Companions& given_;
    const Names& names_;
    const Console& console_;
    ContentKey key_;
    std::vector<InputReport> reports_;
    std::string written_;
    int status_ = kDone;
};

int convert(ConvertOptions& options, const Console& console) {
    // `--loop-key FILE`: the word after the flag is an input unless it names a clip.
    for (std::string& selection : options.loopKey)
        if (!selection.empty() && fs::exists(fromUtf8(selection)))
            options.inputs.push_back(std::exchange(selection, {}));
    if (options.inputs.empty())
        throw UsageError("convert: name at least one input");
    if (options.output == "-" && isTerminal(StandardStream::output))
        throw UsageError("-o -: a .glb is no text for a terminal");
    const Companions given = options.input.given();
    Names names;
    if (!options.namesFile.empty()) {
        const File file = readFile(fromUtf8(options.namesFile), options.input.limits);
        try {
            names = parseNames({reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()});  // NOLINT
        } catch (const core::DecodeError& error) {
            throw error.inFile(options.namesFile);
        }
    }
    const Plan plan = planJobs(options);
    checkOutputs(outputsOf(plan.jobs), inputsOf(plan.jobs, options), options.force);

    int status = kDone;
    std::string reportLines;
    for (const Job& job : plan.jobs) {
        if (interrupted())
            return kInterrupted;
        JobRunner runner(options, given, names, console);
        std::vector<InputReport> reports;
        try {
            reports = runner.run(job);
        } catch (const core::DecodeError& error) {
            console.error(error.what());
            status = kInputFailed;
        }
        for (const InputReport& report : reports)
            reportLines += report.toLine();
        if (runner.status() != kDone)
            status = runner.status();
    }
    if (!options.report.empty())
        writeOutput(fromUtf8(options.report), reportLines);
    if (plan.skipped > 0)
        console.say(fmt::format("{} files with nothing to convert skipped", plan.skipped));
    return status;
}

}  // namespace

const Verb kConvert = {
    "convert", "to .glb or .gltf",
    "  reanima convert rtda -o cloud.glb      (takes rtaa as the skeleton if it lies beside)",
    [](Arguments& arguments, Console& console) -> std::function<int()> {
        const auto options = std::make_shared<ConvertOptions>();
        arguments.list("INPUT", options->inputs, "", "files, or folders with -o FOLDER/");
        arguments.text("-o,--output", options->output, "OUT",
                       "X.glb, X.gltf (and X.bin), FOLDER/ (one file per input), or - (standard output); default: the "
                       "input's name with .glb, in the current folder");
        arguments.flag("--force", options->force, "replace outputs that exist");
        arguments.list("--clip", options->clips, "SEL",
                       "only these clips: an index, a range A-B, or a name; repeatable");
        arguments.text("--names", options->namesFile, "CSV", "names as lines clip,INDEX,NAME and joint,INDEX,NAME");
        arguments.text("--name", options->nameTemplate, "TEMPLATE",
                       "clip names from {stem} {index} {index:03} {id} {name}");
        arguments.text("--rest", options->rest, "POSE",
                       "rest pose: zero, skeleton (its own), CLIP:FRAME, or FILE[:CLIP:FRAME]; default: the skeleton's "
                       "own, else the first frame of the first clip");
        arguments.choice(
            "--interpolation", kInterpolations, [options](const std::string& word) { options->interpolation = word; },
            "between keys");
        arguments.optionalText("--loop-key", options->loopKeySet, options->loopKey, "CLIP",
                               "repeat the first frame at the end, of one clip or of all");
        arguments.flag("--proxy-mesh", options->proxyMesh, "add a mesh: one octahedron per bone, skinned");
        arguments.flag("--end-joints", options->endJoints, "add a joint at the end of every last bone of a chain");
        arguments.text("--report", options->report, "FILE", "write one JSON line per input");
        addInputOptions(arguments, options->input);
        addConsoleOptions(arguments, console);
        return [options, &console] { return convert(*options, console); };
    }};

}  // namespace reanima::tool
