#include "tools/reanima/verbs/convert.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include "core/text.h"
#include "pipeline/rest_pose.h"
#include "tools/reanima/jobs/depfile.h"
#include "tools/reanima/jobs/gltf_output.h"
#include "tools/reanima/jobs/job_runner.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/parallel.h"
#include "tools/reanima/system/platform.h"
#include "tools/reanima/verbs/verbs.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

struct ConvertOptions {
    ConversionOptions conversion;
    std::vector<std::string> inputs;
    std::string output;
    std::string report;
    std::string depfile;
    bool force = false;
    bool ifChanged = false;
    bool listOutputs = false;
    bool separatedByNull = false;  ///< these names
    bool listOutputsFrom = false;
    bool groups = false;
    unsigned threads = 1;
    std::vector<std::string> commandLine;  ///< the words that all this was read from
};

void declareOptions(Arguments& arguments, ConvertOptions& options) {
    arguments.list(
        "INPUT", options.inputs, "",
        "files, folders (with -o FOLDER/), patterns in quotes, job files (NAME.reanima.json), or - (standard "
        "input)");
    arguments.text("-o,--output", options.output, "OUT",
                   "X.glb, X.gltf (and X.bin), FOLDER/ (one file per input, folders mirrored), or - (standard output); "
                   "default: the input's name with .glb, in the current folder");
    arguments.flag("--force", options.force, "replace outputs that exist");
    arguments.flag("--group", options.groups,
                   "of a folder: one output, named after the skeleton, for all animations that find the same one");
    addConversionOptions(arguments, options.conversion);
    arguments.heading("Pipelines");
    arguments.count(
        "-j,--jobs", 1, 256, [&options](double n) { options.threads = static_cast<unsigned>(n); }, "N",
        "outputs made at the same time (1)");
    arguments.flag("--if-changed", options.ifChanged,
                   "leave outputs alone that were made from the same inputs, options and version; replace the others");
    arguments.flag("--outputs", options.listOutputs,
                   "print the names of the outputs, one per line, and do nothing else");
    arguments.flag("-0,--null", options.separatedByNull,
                   "with --outputs and --outputs-from: a NUL byte after every name, not a line end");
    arguments.flag("--outputs-from", options.listOutputsFrom,
                   "print the names of the files that say which outputs there are (job files, and files that may hold "
                   "several models), and do nothing else");
    arguments.text("--depfile", options.depfile, "FILE",
                   "write what every output was made from, for Make, Ninja and CMake");
    arguments.text("--report", options.report, "FILE",
                   "write a JSON line for every output, and for every input that gave none");
    arguments.heading({});
}

/// `--loop-key FILE`: the word after the flag is an input unless it names a clip.
void takeInputsFromLoopKey(ConvertOptions& options) {
    for (std::string& selection : options.conversion.settings["loop-key"])
        if (!selection.empty() && core::exists(fromUtf8(selection)))
            options.inputs.push_back(std::exchange(selection, {}));
}

// ---------------------------------------------------------------------------------------------------------------------
// Job files

/// True if the value of an option names a file, so that it is relative to the job file.
bool namesFile(const JobFile::Argument& argument, const fs::path& folder) {
    const auto exists = [&folder](const std::string& name) { return isFile(fileOf(folder / fromUtf8(name))); };
    return argument.value && (argument.key == "events" || argument.key == "animations" || argument.key == "materials" ||
                              argument.key == "textures" ||
                              ((argument.key == "rest" || argument.key == "source-rest") &&
                               fileLengthInRestPose(*argument.value, exists)));
}

/// What a job file says, as a command line would say it in the current folder.
std::vector<std::string> wordsOf(const JobFile& job, const fs::path& folder) {
    std::vector<std::string> words;
    const auto addFile = [&](const std::string& flag, const std::string& path) {
        if (!path.empty())
            words.push_back(fmt::format("--{}={}", flag, toUtf8(folder / fromUtf8(path))));
    };
    addFile("skeleton", job.skeleton);
    addFile("source-skeleton", job.sourceSkeleton);
    addFile("map", job.map);
    addFile("names", job.names);
    for (const JobFile::Argument& argument : job.options) {
        if (!argument.value)
            words.push_back("--" + argument.key);
        else if (namesFile(argument, folder))
            addFile(argument.key, *argument.value);
        else
            words.push_back(fmt::format("--{}={}", argument.key, *argument.value));
    }
    return words;
}

/// Where a job file and the command line disagree, the command line counts.
Request requestOf(const JobFile& job, const fs::path& jobFile, const ConvertOptions& options) {
    const fs::path folder = jobFile.parent_path();
    ConvertOptions own;
    parseWords([&own](Arguments& arguments) { addConversionOptions(arguments, own.conversion); }, wordsOf(job, folder));
    Console unused;
    parseWords(
        [&](Arguments& arguments) {
            declareOptions(arguments, own);
            addConsoleOptions(arguments, unused);
        },
        options.commandLine);
    takeInputsFromLoopKey(own);
    Request request{{}, job.output.empty() ? "" : toUtf8(folder / fromUtf8(job.output)), nullptr, own.groups};
    for (const std::string& input : job.inputs)
        request.inputs.push_back(toUtf8(folder / fromUtf8(input)));
    if (job.inputs.empty()) {  // rtda.reanima.json beside rtda
        const std::string name = toUtf8(jobFile);
        request.inputs.push_back(name.substr(0, name.size() - kJobFileSuffix.size()));
    }
    auto recipe = std::make_shared<Recipe>(std::move(own.conversion), outputsNamedBy(request.inputs, request.output));
    recipe->refuseWithoutRig();
    recipe->files.push_back(jobFile);
    request.recipe = std::move(recipe);
    return request;
}

// ---------------------------------------------------------------------------------------------------------------------
// The run

std::vector<fs::path> outputsOf(const Plan& plan) {
    std::vector<fs::path> outputs;
    for (const Job& job : plan.jobs) {
        std::ranges::copy(filesOf(job.output), std::back_inserter(outputs));
        if (job.output == kStandardStream)
            outputs.push_back(job.output);
    }
    return outputs;
}

std::vector<fs::path> inputsOf(const Plan& plan) {
    std::vector<fs::path> inputs;
    const Recipe* recipe = nullptr;  // mostly the same again
    for (const Job& job : plan.jobs) {
        for (const JobInput& input : job.inputs)
            inputs.push_back(fileOf(input.path));
        if (job.recipe && job.recipe.get() != recipe)
            std::ranges::copy(job.recipe->files, std::back_inserter(inputs));
        recipe = job.recipe.get();
    }
    std::erase(inputs, kStandardStream);
    return inputs;
}

/// The report and the depfile, where they are files.
std::vector<fs::path> besidesOf(const ConvertOptions& options) {
    std::vector<fs::path> files;
    for (const std::string& path : {options.report, options.depfile})
        if (!path.empty() && path != kStandardStream)
            files.push_back(fromUtf8(path));
    return files;
}

/// Prints what becomes of the jobs, in their order, and counts it.
class Ledger {
  public:
    Ledger(const ConvertOptions& options, const Plan& plan, const Console& console)
        : options_(options), plan_(plan), console_(console), progress_(console, "converting", plan.jobs.size()) {
        if (!options.report.empty())
            report_.emplace(fromUtf8(options.report));
        if (!options.depfile.empty())
            depfile_.emplace(fromUtf8(options.depfile));
    }

    void enter(const Job& job, const JobResult& result) {
        progress_.hide();
        if (result.target != nullptr && rigs_.insert(result.target).second)
            console_.print(result.target->diagnostics);
        for (const InputReport& report : result.reports) {
            printDiagnostics(report);
            if (report.failure && !result.failure)
                console_.error(report.failure->message);
            ++(report.failure ? failed_ : report.unchanged ? unchanged_ : converted_);
            if (report_)
                report_->append(report.toLine());
        }
        if (result.failure) {
            console_.error(result.failure->message);
            told_.insert(result.failure->message);
        }
        if (report_ || depfile_)
            read_.insert(result.read.begin(), result.read.end());
        const bool isMade = result.end != JobResult::End::failed;
        if (isMade && !result.binding.empty() && (plan_.jobs.size() == 1 || console_.verbose))
            console_.sayTable(result.binding);
        for (const std::string& line : {result.motion, result.written})
            if (!line.empty())
                console_.say(line);
        if (depfile_ && isMade && job.output != kStandardStream)
            depfile_->append(makeRule(filesWritten(job.output), result.read));
        status_ = std::max(status_, result.status);
        progress_.step();
    }

    /// @return the exit status
    int close() {
        progress_.hide();
        for (const std::string& note : plan_.notes)
            console_.say(note);
        if (plan_.isBatch || unchanged_ > 0)
            console_.say(summary());
        if (namesInput())
            return std::max<int>(status_, kUsage);
        for (std::optional<OutputFile>* file : {&report_, &depfile_})
            if (*file)
                (*file)->commit();
        return interrupted() ? kInterrupted : status_;
    }

  private:
    /// What is said about a file as a whole is said with the first of its models alone.
    void printDiagnostics(const InputReport& report) {
        if (report.input != lastInput_)
            said_.clear();
        lastInput_ = report.input;
        core::Diagnostics unsaid;
        for (const core::Warning& warning : report.diagnostics.warnings())
            if (report.model.empty() || said_.emplace(warning.message(), warning.place.offset).second)
                unsaid.add(warning);
        console_.print(unsaid);
    }

    /// True if the report or the depfile was read for an output; that is said unless a job said it.
    [[nodiscard]] bool namesInput() const {
        try {
            refuseClashes(besidesOf(options_), {read_.begin(), read_.end()});
            return false;
        } catch (const UsageError& error) {
            if (!told_.contains(error.what()))
                console_.error(error.what());
            return true;
        }
    }

    [[nodiscard]] std::string summary() const {
        std::string text = fmt::format("{} converted, {} failed, {} skipped", converted_, failed_, plan_.skipped);
        if (plan_.skipped > 0)
            text += " (nothing to convert)";
        if (unchanged_ > 0)
            text = fmt::format("{} unchanged, {}", unchanged_, text);
        const std::size_t left = plan_.inputCount() - converted_ - failed_ - unchanged_;
        return interrupted() && left > 0 ? fmt::format("interrupted: {}, {} left", text, left) : text;
    }

    const ConvertOptions& options_;
    const Plan& plan_;
    const Console& console_;
    ProgressLine progress_;
    std::set<const Target*> rigs_;  ///< what is odd about each is said once
    std::set<std::string> told_;    ///< why jobs failed
    std::string lastInput_;
    std::set<std::pair<std::string, std::optional<std::uint64_t>>> said_;  ///< about the last input
    std::optional<OutputFile> report_;
    std::optional<OutputFile> depfile_;
    std::set<fs::path> read_;  ///< for any output
    std::size_t converted_ = 0;
    std::size_t unchanged_ = 0;
    std::size_t failed_ = 0;
    int status_ = kDone;
};

/// A name as --outputs lists it, with what ends it.
std::string listedName(const fs::path& file, const ConvertOptions& options) {
    const std::string name = toUtf8(file);
    if (options.separatedByNull)
        return name + '\0';
    if (hasLineEnd(file))
        throw UsageError(fmt::format("{}: has a line end in its name; -0 lists it", name));
    return (isTerminal(StandardStream::output) ? core::printable(name) : name) + '\n';
}

int listOutputs(const Plan& plan, const ConvertOptions& options, const Console& console) {
    std::string list;
    int status = kDone;
    refuseClashes(outputsOf(plan), inputsOf(plan));
    for (const Job& job : plan.jobs) {
        for (const fs::path& output : filesOf(job.output))
            list += listedName(output, options);
        for (const fs::path& image : imagesOf(job, {console.policy}))
            list += listedName(image, options);
        if (job.failure) {
            console.error(job.failure->message);
            status = std::max(status, job.failure->status);
        }
    }
    printData(list);
    return status;
}

int listFilesThatNameOutputs(const Plan& plan, const ConvertOptions& options) {
    std::string list;
    for (const fs::path& file : plan.namedBy)
        if (file != kStandardStream)
            list += listedName(file, options);
    printData(list);
    return kDone;
}

void checkOutputs(const Plan& plan, const ConvertOptions& options) {
    const std::vector<fs::path> inputs = inputsOf(plan);
    std::vector<fs::path> outputs = outputsOf(plan);
    refuseClashes(outputs, inputs);
    if (!options.force && !options.ifChanged)
        refuseExisting(outputs);
    const bool isPiped = std::ranges::find(outputs, fs::path(kStandardStream)) != outputs.end();
    for (const auto& [option, path] :
         {std::pair("--report", &options.report), std::pair("--depfile", &options.depfile)})
        if (isPiped && *path == kStandardStream)
            throw UsageError(fmt::format("-: is named by -o and by {}", option));
    if (!options.report.empty() && isSamePlace(fromUtf8(options.report), fromUtf8(options.depfile)))
        throw UsageError(fmt::format("{}: is named by --report and by --depfile", options.report));
    if (!options.depfile.empty()) {
        refuseLineEnds(outputs);
        refuseLineEnds(inputs);
    }
    std::ranges::copy(besidesOf(options), std::back_inserter(outputs));
    refuseClashes(outputs, inputs);
}

/// Before any work is done. What is in a job file stands there for itself: the command line needs no -s for it.
void refuseUseless(const Plan& plan, const Request& request) {
    for (const Job& job : plan.jobs) {
        if (job.recipe == request.recipe)
            job.recipe->refuseWithoutRig();
        if (job.recipe && job.recipe->keepsMesh() && !job.recipe->hasGltfRig())
            throw UsageError("--keep-mesh: -s must name a .glb or .gltf");
    }
}

void run(const Plan& plan, const ConvertOptions& options, const Console& console, Ledger& ledger) {
    const auto shown = console.verbose ? BindReport::Shown::all : BindReport::Shown::apart;
    const RunOptions runOptions{console.policy, options.ifChanged, options.force || options.ifChanged, plan.isOneFile(),
                                shown,          besidesOf(options)};
    inOrder(
        plan.jobs.size(), options.threads,
        [&](std::size_t i) -> std::function<void()> {
            auto result = std::make_shared<JobResult>(runJob(plan.jobs[i], runOptions));
            return [&, i, result] { ledger.enter(plan.jobs[i], *result); };
        },
        interrupted);
}

int convert(ConvertOptions& options, const Console& console) {
    takeInputsFromLoopKey(options);
    if (options.separatedByNull && !options.listOutputs && !options.listOutputsFrom)
        throw UsageError("-0: needs --outputs");
    if (options.inputs.empty())
        throw UsageError("convert: name at least one input");
    if (options.output == kStandardStream && isTerminal(StandardStream::output))
        throw UsageError("-o -: a .glb is not text for a terminal");
    if (std::ranges::count(options.inputs, kStandardStream) > 0 && isTerminal(StandardStream::input))
        throw UsageError("-: standard input is a terminal; pass a file or a pipe");
    const Request request{options.inputs, options.output,
                          std::make_shared<Recipe>(options.conversion, outputsNamedBy(options.inputs, options.output)),
                          options.groups};
    const Plan plan = makePlan(
        request, [&](const JobFile& job, const fs::path& path) { return requestOf(job, path, options); },
        options.threads);
    if (interrupted())
        return kInterrupted;
    refuseUseless(plan, request);
    if (options.listOutputs)
        return listOutputs(plan, options, console);
    if (options.listOutputsFrom)
        return listFilesThatNameOutputs(plan, options);
    checkOutputs(plan, options);
    Ledger ledger(options, plan, console);
    run(plan, options, console, ledger);
    return ledger.close();
}

}  // namespace

int convertOne(const OneConversion& one, const Console& console) {
    ConvertOptions options;
    options.conversion = one.options;
    options.inputs = {one.input};
    options.output = one.output;
    options.force = one.force;
    return convert(options, console);
}

const Verb kConvert = {
    "convert", "to .glb or .gltf",
    "  reanima convert rtda -o cloud.glb                        (takes rtaa as the skeleton if it lies beside)\n"
    "  reanima convert battle/ -o out/ -j 8 --if-changed        (a folder, mirrored; only what changed)",
    [](Arguments& arguments, Console& console) -> std::function<int()> {
        const auto options = std::make_shared<ConvertOptions>();
        options->commandLine = arguments.words();
        declareOptions(arguments, *options);
        addConsoleOptions(arguments, console);
        return [options, &console] { return convert(*options, console); };
    }};

}  // namespace reanima::tool
