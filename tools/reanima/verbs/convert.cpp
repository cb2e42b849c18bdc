#include "tools/reanima/verbs/convert.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text.h"
#include "core/text_pattern.h"
#include "json/json.h"
#include "tools/reanima/front/command_words.h"
#include "tools/reanima/jobs/batch_messages.h"
#include "tools/reanima/jobs/clip_files.h"
#include "tools/reanima/jobs/depfile.h"
#include "tools/reanima/jobs/earlier_run.h"
#include "tools/reanima/jobs/existing_output.h"
#include "tools/reanima/jobs/gltf_output.h"
#include "tools/reanima/jobs/job_runner.h"
#include "tools/reanima/jobs/job_words.h"
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
    std::string pruned;  ///< the report of an earlier run, whose left-over outputs are removed
    std::string depfile;
    bool force = false;
    bool ifChanged = false;
    bool listOutputs = false;
    bool separatedByNull = false;  ///< separates the listed names by null characters
    bool listOutputsFrom = false;
    bool groups = false;
    std::optional<unsigned> threads{};     ///< empty: limited by processors and memory
    std::vector<std::string> commandLine;  ///< the words that the options were read from
};

/// @return the problem with the text
std::optional<std::string> setThreads(const std::string& text, std::optional<unsigned>& threads) {
    if (text == "auto") {
        threads.reset();
        return std::nullopt;
    }
    OptionValues value;
    const OptionInfo info{"", OptionInfo::Type::count, "", "", 1, kMostThreads};
    if (setOption(value, info, text))
        return fmt::format("is {}, expected auto or a whole number from 1 to {}", text, kMostThreads);
    threads = static_cast<unsigned>(*value.number(info.key));
    return std::nullopt;
}

void declareOptions(Arguments& arguments, ConvertOptions& options) {
    arguments.list(
        "INPUT", options.inputs, "",
        "files, folders (with -o FOLDER/), patterns in quotes, job files (NAME.reanima.json), or - (standard "
        "input)");
    arguments.text("-o,--output", options.output, "OUT",
                   "X.glb, X.gltf (with X.bin), X.vrm (with -s AVATAR.vrm), X.bvh, X.vrma or X.anim (one clip), "
                   "FOLDER/ (a file per input or clip, in the same subfolders), or - (standard output); default: the "
                   "input's name with .glb, in the current folder");
    addOutputForm(arguments, options.conversion);
    arguments.flag("--force", options.force, "replace outputs that exist");
    arguments.flag("--group", options.groups,
                   "for folders: write one output per skeleton, named after it, with all its animations");
    addConversionOptions(arguments, options.conversion);
    arguments.heading("Pipelines");
    arguments.checked(
        "-j,--jobs", [&options](const std::string& text) { return setThreads(text, options.threads); }, "N|auto",
        "number of outputs to make at the same time; default: auto, one per processor, or fewer if memory can't hold "
        "--limit-memory for each");
    arguments.flag("--if-changed", options.ifChanged,
                   "skip outputs that are up to date; replace the others, unless they were edited");
    arguments.flag("--outputs", options.listOutputs,
                   "print the names of the outputs, one per line, and do nothing else");
    arguments.flag("-0,--null", options.separatedByNull,
                   "with --outputs or --outputs-from: end every name with a NUL byte");
    arguments.flag("--outputs-from", options.listOutputsFrom,
                   "print the inputs that determine which outputs there are (job files, files with several models), "
                   "and do nothing else");
    arguments.text("--depfile", options.depfile, "FILE",
                   "write which files each output was made from, for Make, Ninja and CMake");
    arguments.text("--report", options.report, "FILE",
                   "write a line of JSON for every output and every failed input; a batch ends with a line of totals");
    arguments.text(
        "--prune", options.pruned, "REPORT",
        "remove outputs that an earlier run listed in REPORT and that this run does not make; edited outputs stay");
    arguments.heading({});
}

/// For `--loop-key FILE`: the word after the flag is an input unless it is a clip's name.
void takeInputsFromLoopKey(ConvertOptions& options) {
    for (std::string& selection : options.conversion.settings["loop-key"])
        if (!selection.empty() && core::exists(fromUtf8(selection)))
            options.inputs.push_back(std::exchange(selection, {}));
}

// ---------------------------------------------------------------------------------------------------------------------
// Job files

/// True for an output that is a file: neither empty nor a folder.
bool namesFile(const std::string& output) {
    return !output.empty() && output.back() != '/' && output.back() != '\\' && !isFolder(fromUtf8(output));
}

/// @throws UsageError if a terminal would receive binary output
void refuseTerminalFor(const ConversionOptions& conversion, const std::string& output) {
    if (!conversion.form->isText())
        refuseTerminal(output, "a .glb or .png is");
}

/// Turns job files into requests.
class JobsToConvert {
  public:
    explicit JobsToConvert(const ConvertOptions& options)
        : options_(options),
          reader_(
              own_.conversion, [this](Arguments& arguments) { declareOptions(arguments, own_); }, options.commandLine) {
    }

    Request of(const JobFile& job, const fs::path& jobFile) {
        reader_.read(job, jobFile);
        takeInputsFromLoopKey(own_);
        Request request{inputsOf(job, jobFile), outputOf(job, jobFile), nullptr, own_.groups};
        ConversionOptions& conversion = own_.conversion;
        conversion.form = &outputFormOf(conversion.as, namesFile(options_.output) ? options_.output : request.output);
        refuseTerminalFor(conversion, request.output);
        request.recipe = recipeOf(job, jobFile, request.inputs, outputsNamedBy(request.inputs, request.output));
        return request;
    }

  private:
    /// Jobs of a file share a recipe, and with it the rig, if they only differ in inputs and output.
    std::shared_ptr<const Recipe> recipeOf(const JobFile& job, const fs::path& jobFile,
                                           const std::vector<std::string>& inputs, Recipe::Outputs outputs) {
        std::vector<std::string> said = {toUtf8(jobFile),
                                         job.skeleton,
                                         job.sourceSkeleton,
                                         job.map,
                                         job.names,
                                         std::string(own_.conversion.form->ending),
                                         outputs == Recipe::Outputs::one ? "one" : "several"};
        for (const JobFile::Argument& option : job.options)
            said.push_back(option.value ? option.key + '=' + *option.value : option.key);
        const auto known = recipes_.find(said);
        if (known != recipes_.end())
            return known->second;
        own_.conversion.input.motion = inputs;
        auto recipe = std::make_shared<Recipe>(own_.conversion, outputs);
        recipe->refuseWithoutRig();
        recipe->files.push_back(jobFile);
        return recipes_.emplace(std::move(said), std::move(recipe)).first->second;
    }

    const ConvertOptions& options_;  ///< options of the command line
    ConvertOptions own_;             ///< options of the current job
    JobReader reader_;
    std::map<std::vector<std::string>, std::shared_ptr<const Recipe>> recipes_;  ///< by the texts of jobs
};

// ---------------------------------------------------------------------------------------------------------------------
// The run

std::vector<fs::path> outputsOf(const Plan& plan) {
    std::vector<fs::path> outputs;
    for (const Job& job : plan.jobs) {
        std::ranges::copy(filesOf(patternOfOutputs(job)), std::back_inserter(outputs));
        if (job.output == kStandardStream)
            outputs.push_back(job.output);
    }
    return outputs;
}

/// The outputs of jobs whose inputs exist and are known. The other jobs will fail with an error about their inputs.
std::vector<fs::path> outputsToMake(const Plan& plan) {
    std::vector<fs::path> outputs;
    for (const Job& job : plan.jobs)
        if (std::ranges::any_of(job.inputs, [](const JobInput& input) { return input.format != nullptr; }))
            std::ranges::copy(filesOf(patternOfOutputs(job)), std::back_inserter(outputs));
    return outputs;
}

/// @throws core::DecodeError, UsageError
void refuseExistingOutputs(const Plan& plan) {
    try {
        refuseExisting(outputsToMake(plan));
    } catch (const UsageError&) {
        for (const Job& job : plan.jobs)
            if (std::ranges::any_of(filesOf(patternOfOutputs(job)), existsAsFile))
                requireInputs(job);
        throw;
    }
}

std::vector<fs::path> inputsOfPlan(const Plan& plan) {
    std::vector<fs::path> inputs;
    const Recipe* recipe = nullptr;  // most jobs share a recipe
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

/// The report and the depfile, if they are files.
std::vector<fs::path> besidesOf(const ConvertOptions& options) {
    std::vector<fs::path> files;
    for (const std::string& path : {options.report, options.depfile})
        if (!path.empty() && path != kStandardStream)
            files.push_back(fromUtf8(path));
    return files;
}

/// The outputs in the report for --prune. Without --prune, the outputs in the report that will be replaced.
/// @throws core::DecodeError if the report for --prune can't be read
std::vector<EarlierOutput> outputsOfEarlierRun(const ConvertOptions& options, const Console& console) {
    const core::Limits& limits = options.conversion.input.limits;
    if (!options.pruned.empty() && !core::exists(fromUtf8(options.pruned)))
        console.say(options.pruned + ": does not exist yet, so nothing is pruned");
    else if (!options.pruned.empty())
        return outputsInReport(fromUtf8(options.pruned), limits);
    else if (isFile(fromUtf8(options.report)))
        try {
            return outputsInReport(fromUtf8(options.report), limits);
        } catch (const core::DecodeError&) {
            return {};  // the report is replaced, whatever it contains
        }
    return {};
}

/// A line of the report for an output of an earlier run that this run did not make.
std::string lineOfLeft(const EarlierOutput& output) {
    const Json line = {{"schema", 1},
                       {"output", toUtf8(output.path)},
                       {"status", "left"},
                       {"key", output.key},
                       {"hash", output.hash.empty() ? Json(nullptr) : Json(output.hash)},
                       {"warnings", Json::array()}};  // for programs that collect the warnings of all lines
    return line.dump() + "\n";
}

/// True for a missing input of the command line. Its disk may not be mounted.
bool isNamedAndMissing(const std::string& input, const ConvertOptions& options) {
    return std::ranges::find(options.inputs, input) != options.inputs.end() && input != kStandardStream &&
           !core::exists(fromUtf8(input)) && !options.conversion.input.files->exists(input);
}

constexpr std::size_t kMostLines = 20;  // per kind of message, without -v

void sayEach(const Console& console, const std::vector<fs::path>& outputs, std::string_view what) {
    const std::size_t said = console.verbose ? outputs.size() : std::min(outputs.size(), kMostLines);
    for (std::size_t i = 0; i < said; ++i)
        console.say(fmt::format("{}: {}", toUtf8(outputs[i]), what));
    if (said < outputs.size())
        console.say(fmt::format("{} more messages like these. Use -v to see them", outputs.size() - said));
}

/// @param because the input that is missing or can't be read: then outputs of an earlier run are kept
void sayUnpruned(const Console& console, const std::string& because, std::size_t outputs) {
    console.say(fmt::format("{}, so nothing is pruned; {}", because,
                            outputs == 1 ? "an output of an earlier run stays"
                                         : fmt::format("{} outputs of an earlier run stay", outputs)));
}

/// The outputs of a finished job.
std::vector<fs::path> outputsMade(const Job& job, const JobResult& result) {
    if (result.outputs.empty())
        return {job.output};
    std::vector<fs::path> outputs;
    std::ranges::transform(result.outputs, std::back_inserter(outputs), &ClipOutput::path);
    return outputs;
}

/// Prints the results of the jobs in their order, and counts them.
class Ledger {
  public:
    Ledger(const ConvertOptions& options, const Plan& plan, const Console& console)
        : options_(options),
          plan_(plan),
          console_(console),
          progress_(console, "converting", plan.jobs.size()),
          messages_(console, plan.jobs.size()),
          leftOvers_(outputsOfEarlierRun(options, console)) {
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
            if (report.failure && isNamedAndMissing(report.input, options_))
                missing_ = report.input;
            if (report.failure && !report.failure->isQuiet && !result.failure)
                console_.error(report.failure->message);
            ++countOf(report);
            warnings_ += static_cast<std::size_t>(std::ranges::count(
                report.diagnostics.warnings(), core::Warning::Severity::warning, &core::Warning::severity));
            if (report_)
                addLines(report, result.outputs);
        }
        if (result.failure && !result.failure->isQuiet) {
            console_.error(result.failure->message);
            told_.insert(result.failure->message);
        }
        if (report_ || depfile_ || !options_.pruned.empty())
            read_.insert(result.read.begin(), result.read.end());
        const bool isMade = result.end == JobResult::End::converted || result.end == JobResult::End::unchanged;
        const std::vector<fs::path> outputs = outputsMade(job, result);
        if (isMade)
            std::ranges::for_each(outputs, [this](const fs::path& output) { leftOvers_.addMade(output); });
        else if (result.end == JobResult::End::failed && result.refused.empty())
            leftOvers_.addFailed(job.output);
        leftOvers_.addRefused(result.refused);
        if (result.end == JobResult::End::converted)
            bytes_ += result.reports.front().bytes;
        if (isMade && !result.binding.empty() && (plan_.jobs.size() == 1 || console_.verbose))
            console_.sayTable(result.binding);
        if (console_.verbose)
            for (const std::string& line : result.companions)
                console_.say(line);
        for (const std::string& line : {result.motion, result.written})
            if (!line.empty() && !isLarge())
                console_.say(line);
        if (depfile_ && isMade && job.output != kStandardStream)
            depfile_->append(makeRule(result.outputs.empty() ? filesWritten(job.output) : outputs, result.read));
        status_ = std::max(status_, result.status);
        progress_.step();
    }

    /// The outputs of an earlier run.
    [[nodiscard]] const LeftOvers& earlier() const { return leftOvers_; }

    /// @return the exit status
    int close() {
        progress_.hide();
        messages_.sumUp();
        for (const std::string& note : console_.verbose ? plan_.skipped : plan_.notes)
            console_.say(note);
        if (!interrupted())
            handleLeftOvers();
        if (plan_.isBatch || unchanged_ > 0)
            console_.say(summary());
        if (namesInput())
            return std::max<int>(status_, kUsage);
        if (report_ && plan_.isBatch)
            report_->append(sums().dump() + "\n");
        for (std::optional<OutputFile>* file : {&report_, &depfile_})
            if (*file)
                (*file)->commit();
        const bool isDoneInPart = status_ == kUsage && converted_ + unchanged_ > 0;
        return interrupted() ? kInterrupted : isDoneInPart ? kInputFailed : status_;
    }

  private:
    /// Appends lines to the report: one for an input, or one for each file with its clips.
    void addLines(const InputReport& report, const std::vector<ClipOutput>& outputs) {
        if (outputs.empty() || report.failure)
            return report_->append(report.toLine());
        InputReport line = report;
        line.clips = 1;
        for (const ClipOutput& output : outputs) {
            line.output = toUtf8(output.path);
            line.frames = output.frames;
            line.bytes = output.bytes;
            line.key = output.key;
            line.hash = output.hash;
            line.unchanged = output.isUnchanged;
            report_->append(line.toLine());
        }
    }

    std::size_t& countOf(const InputReport& report) {
        if (report.failure)
            return failed_;
        return report.skipped ? others_ : report.unchanged ? unchanged_ : converted_;
    }

    /// Prints messages. A message about a file with several models is printed only once.
    void printDiagnostics(const InputReport& report) {
        if (report.input != lastInput_)
            said_.clear();
        lastInput_ = report.input;
        core::Diagnostics unsaid;
        for (const core::Warning& warning : report.diagnostics.warnings())
            if ((isForPlayers(report) || !console_.policy.isForPlayers(warning)) &&
                (report.model.empty() || said_.emplace(warning.message(), warning.place.offset).second) &&
                messages_.isPrinted(warning))
                unsaid.add(warning);
        console_.print(unsaid, Console::Audience::players);
    }

    /// False for text outputs: all programs show the same angles of their clips.
    [[nodiscard]] static bool isForPlayers(const InputReport& report) {
        return !formOf(fromUtf8(report.output)).isText();
    }

    /// Lists or removes outputs of an earlier run that this run did not make.
    void handleLeftOvers() {
        std::ranges::for_each(read_, [this](const fs::path& file) { leftOvers_.addRead(file); });
        const std::vector<std::string> unread = unreadFiles();
        const bool isPruned = !options_.pruned.empty() && missing_.empty() && unread.empty();
        std::vector<fs::path> listed;
        std::vector<fs::path> edited;
        using Kind = LeftOver::Kind;
        for (const auto& [output, kind] : leftOvers_.listed()) {
            const bool isListed = kind == Kind::asWritten || (kind == Kind::edited && options_.force);
            if (isListed)
                listed.push_back(output.path);
            else if (kind != Kind::refused)
                edited.push_back(output.path);
            const bool stays = !isPruned || !isListed;
            if (report_ && stays && (plan_.isBatch || !options_.pruned.empty() || kind == Kind::refused))
                report_->append(lineOfLeft(output));  // for later runs
        }
        if (!options_.pruned.empty() && !isPruned && !listed.empty()) {
            sayUnpruned(console_, missing_.empty() ? unread.front() : missing_ + ": is missing", listed.size());
        } else if (!isPruned) {
            sayEach(console_, listed, "is left over from an earlier run. --prune removes such files");
        } else {
            const auto removed = removeOutputs(listed, fromUtf8(options_.output), [this](const OutputError& error) {
                console_.error(error.what());
                status_ = std::max<int>(status_, kOutputFailed);
            });
            removed_ = removed.size();
            sayEach(console_, removed, "removed, because this run did not make it again");
        }
        sayEach(console_, edited, "stays, because it was edited after an earlier run made it");
        if (plan_.isBatch || options_.ifChanged)
            sayEach(console_, leftOvers_.unlisted(), "stays unchanged, because it could not be made again");
    }

    /// The last line of the report of a batch.
    [[nodiscard]] Json sums() const {
        return {{"schema", 1},
                {"sums",
                 {{"converted", converted_},
                  {"unchanged", unchanged_},
                  {"failed", failed_},
                  {"skipped", plan_.skipped.size()},
                  {"no_humanoid", others_},
                  {"left", left()},
                  {"removed", removed_},
                  {"warnings", warnings_},
                  {"bytes", bytes_}}},
                {"warnings", Json::array()}};  // for programs that collect the warnings of all lines
    }

    [[nodiscard]] std::size_t left() const { return plan_.inputCount() - converted_ - failed_ - unchanged_ - others_; }

    /// True if a line for each output would be too many.
    [[nodiscard]] bool isLarge() const { return plan_.jobs.size() > kMostLines && !console_.verbose; }

    /// True if the report or the depfile was read for an output. Reports it unless a job did.
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
        std::string text =
            fmt::format("{} converted, {} failed, {} skipped", converted_, failed_, plan_.skipped.size());
        if (!plan_.skipped.empty())
            text += " (nothing to convert)";
        if (others_ > 0)
            text += fmt::format(", {} skipped (not a humanoid)", others_);
        if (unchanged_ > 0)
            text = fmt::format("{} unchanged, {}", unchanged_, text);
        if (removed_ > 0)
            text += fmt::format(", {} removed", removed_);
        return interrupted() && left() > 0 ? fmt::format("interrupted: {}, {} left", text, left()) : text;
    }

    const ConvertOptions& options_;
    const Plan& plan_;
    const Console& console_;
    ProgressLine progress_;
    std::set<const Target*> rigs_;  ///< rigs whose warnings were printed
    std::set<std::string> told_;    ///< printed reasons of failed jobs
    std::string lastInput_;
    std::set<std::pair<std::string, std::optional<std::uint64_t>>> said_;  ///< printed messages about the last input
    std::optional<OutputFile> report_;
    std::optional<OutputFile> depfile_;
    BatchMessages messages_;
    std::set<fs::path> read_;  ///< files read for any output
    std::string missing_;      ///< a missing input of the command line
    LeftOvers leftOvers_;
    std::size_t converted_ = 0;
    std::size_t unchanged_ = 0;
    std::size_t failed_ = 0;
    std::size_t others_ = 0;  ///< number of skipped non-humanoids
    std::size_t removed_ = 0;
    std::size_t warnings_ = 0;
    std::size_t bytes_ = 0;
    int status_ = kDone;
};

/// A name as --outputs lists it, with its separator.
std::string listedName(const fs::path& file, const ConvertOptions& options) {
    const std::string name = toUtf8(file);
    if (options.separatedByNull)
        return name + '\0';
    if (hasLineEnd(file))
        throw UsageError(fmt::format("{}: the name contains a line break. Use -0 to list it", name));
    return (isTerminal(StandardStream::output) ? core::printable(name) : name) + '\n';
}

int listOutputs(const Plan& plan, const ConvertOptions& options, const Console& console) {
    std::string list;
    int status = kDone;
    refuseClashes(outputsOf(plan), inputsOfPlan(plan));
    for (const Job& job : plan.jobs) {
        for (const fs::path& output : allOutputsOf(job, {console.policy}))
            list += listedName(output, options);
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

/// With --if-changed, only outputs of this program are replaced.
/// @throws UsageError
void refuseOthersOutputs(const std::vector<fs::path>& outputs) {
    for (const fs::path& output : outputs)
        if (isFile(output) && isOfOthers(output))
            throw UsageError(
                fmt::format("{}: exists and was made by another program; --force replaces it", toUtf8(output)));
}

void checkOutputs(const Plan& plan, const ConvertOptions& options) {
    const std::vector<fs::path> inputs = inputsOfPlan(plan);
    std::vector<fs::path> outputs = outputsOf(plan);
    refuseClashes(outputs, inputs);
    if (!options.pruned.empty())
        refuseClashes(outputs, {fromUtf8(options.pruned)});
    if (!options.force && !options.ifChanged)
        refuseExistingOutputs(plan);
    const bool isPiped = std::ranges::find(outputs, fs::path(kStandardStream)) != outputs.end();
    for (const auto& [option, path] :
         {std::pair("--report", &options.report), std::pair("--depfile", &options.depfile)})
        if (isPiped && *path == kStandardStream)
            throw UsageError(fmt::format("-: -o and {} both write to standard output", option));
    if (!options.report.empty() && isSamePlace(fromUtf8(options.report), fromUtf8(options.depfile)))
        throw UsageError(fmt::format("{}: --report and --depfile both write this file", options.report));
    if (!options.depfile.empty()) {
        refuseLineEnds(outputs);
        refuseLineEnds(inputs);
    }
    const std::vector<fs::path> besides = besidesOf(options);
    std::ranges::copy(besides, std::back_inserter(outputs));
    if (!besides.empty())
        refuseClashes(outputs, inputs);
    refuseOtherThanReport(fromUtf8(options.report));
    refuseOtherThanDepfile(fromUtf8(options.depfile));
    if (options.force)
        return;
    for (const fs::path& beside : besides)
        if (!core::exists(beside))
            refuseExisting({beside});
    if (options.ifChanged)
        refuseOthersOutputs(outputsOf(plan));
}

/// Rejects options without effect, before any work. Options in a job file do not depend on -s on the command line.
void refuseUseless(const Plan& plan, const Request& request) {
    refuseNamesForAny(plan);
    for (const Job& job : plan.jobs) {
        if (job.recipe == request.recipe)
            job.recipe->refuseWithoutRig();
        if (job.recipe && job.recipe->keepsMesh() && !job.recipe->hasRigFile())
            throw UsageError("--keep-mesh: -s must name a .glb or .gltf, or another rig with a mesh");
    }
}

void run(const Plan& plan, const ConvertOptions& options, unsigned threads, const Console& console, Ledger& ledger) {
    std::vector<fs::path> others = besidesOf(options);
    for (const Job& job : plan.jobs)
        for (const JobInput& input : job.inputs)
            others.push_back(fileOf(input.path));
    ClaimedOutputs claimed(others);
    const auto shown = console.verbose ? BindReport::Shown::all : BindReport::Shown::apart;
    const RunOptions runOptions{
        console.policy, options.ifChanged,  options.force, plan.isOneFile(),  plan.isBatch,
        shown,          besidesOf(options), &claimed,      &ledger.earlier(), !options.report.empty()};
    inOrder(
        plan.jobs.size(), threads,
        [&](std::size_t i) -> std::function<void()> {
            auto result = std::make_shared<JobResult>(runJob(plan.jobs[i], runOptions));
            return [&, i, result] { ledger.enter(plan.jobs[i], *result); };
        },
        interrupted);
}

/// @throws UsageError for an empty name, or if the last input is probably meant as the output
void refuseOutputAmongInputs(const std::vector<std::string>& inputs, const std::string& output) {
    if (std::ranges::count(inputs, std::string()) > 0)
        throw UsageError("convert: the name of an input is empty");
    if (output.empty() && inputs.size() > 1) {
        const std::string& input = inputs.back();
        const OutputForm& form = formOf(fromUtf8(input));
        const OutputForm& first = formOf(fromUtf8(inputs.front()));
        if (!form.holdsMotion() || &form == &first || core::isPattern(input) || input.find(':') != std::string::npos)
            return;
        if (!core::exists(fromUtf8(input)))
            throw UsageError(
                fmt::format("{}: there is no such file. If this is the output, add -o {}", input, asWord(input)));
        // Several scenes may be motion for one output. A .glb named with a game's files is hardly meant as motion.
        const std::string extension = core::extensionOf(inputs.front());
        if (form.clipWriter == nullptr && !first.holdsMotion() && extension != "fbx" && extension != "dae")
            throw UsageError(fmt::format(
                "{}: exists. To overwrite it, add -o {} --force. To use it as an input, name another output with -o",
                input, asWord(input)));
    }
}

int convert(ConvertOptions& options, const Console& console) {
    takeInputsFromLoopKey(options);
    if (options.separatedByNull && !options.listOutputs && !options.listOutputsFrom)
        throw UsageError("-0: needs --outputs");
    if (options.inputs.empty())
        throw UsageError("convert: name at least one input; `reanima convert -h` shows how it is used");
    options.conversion.form = &outputFormOf(options.conversion.as, options.output);
    refuseTerminalFor(options.conversion, options.output);
    if (options.output == kStandardStream && options.conversion.as == "gltf")
        throw UsageError(
            "-o -: a .gltf consists of several files and can't be written to standard output. Use --as glb");
    if (std::ranges::count(options.inputs, kStandardStream) > 0 && isTerminal(StandardStream::input))
        throw UsageError("-: standard input is a terminal; pass a file or a pipe");
    refuseOutputAmongInputs(options.inputs, options.output);
    options.conversion.input.lookAlsoIn(options.inputs);
    options.conversion.input.motion = options.inputs;
    const Request request{options.inputs, options.output,
                          std::make_shared<Recipe>(options.conversion, outputsNamedBy(options.inputs, options.output)),
                          options.groups};
    const unsigned threads = options.threads ? *options.threads : threadsFor(options.conversion.input.limits.memory);
    std::optional<JobsToConvert> jobs;
    const auto requestOfJob = [&](const JobFile& job, const fs::path& path) {
        return (jobs ? *jobs : jobs.emplace(options)).of(job, path);
    };
    const Plan plan = makePlan(request, requestOfJob, threads);
    if (interrupted())
        return kInterrupted;
    refuseUseless(plan, request);
    if (options.listOutputs)
        return listOutputs(plan, options, console);
    if (options.listOutputsFrom)
        return listFilesThatNameOutputs(plan, options);
    checkOutputs(plan, options);
    if (console.verbose && plan.jobs.size() > 1)
        console.say(
            fmt::format("making {} outputs at the same time (-j)", std::min<std::size_t>(threads, plan.jobs.size())));
    if (request.recipe->leavesMesh())
        console.say(fmt::format(
            "{}: with several outputs, the rig's mesh is left out. Use --keep-mesh to write it into each output",
            options.conversion.input.skeleton));
    Ledger ledger(options, plan, console);
    run(plan, options, threads, console, ledger);
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

const Verb kConvert = {"convert",
                       "INPUT... [-o OUT]",
                       "converts to .glb, .gltf, .bvh, .vrma, .vrm (of an avatar) or .anim (untested in the game), on "
                       "the game's own skeleton or on another one",
                       "output as force skeleton model clip names animations root-motion reduce",
                       "  reanima convert rtda -o cloud.glb      # with rtaa, if it is beside rtda\n"
                       "  reanima convert rtda -s avatar.vrm -o cloud.vrm   # on an avatar\n"
                       "  reanima convert battle.lgp -o out/     # every character of an archive",
                       [](Arguments& arguments, Console& console) -> std::function<int()> {
                           const auto options = std::make_shared<ConvertOptions>();
                           options->commandLine = arguments.words();
                           declareOptions(arguments, *options);
                           addConsoleOptions(arguments, console);
                           return [options, &console] { return convert(*options, console); };
                       }};

}  // namespace reanima::tool
