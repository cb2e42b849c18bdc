#include "tools/reanima/verbs/convert.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "core/text.h"
#include "core/text_pattern.h"
#include "tools/reanima/front/command_words.h"
#include "tools/reanima/jobs/clip_files.h"
#include "tools/reanima/jobs/depfile.h"
#include "tools/reanima/jobs/existing_output.h"
#include "tools/reanima/jobs/gltf_output.h"
#include "tools/reanima/jobs/job_runner.h"
#include "tools/reanima/jobs/job_words.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/system/parallel.h"
#include "tools/reanima/system/platform.h"
#include "tools/reanima/verbs/convert_ledger.h"
#include "tools/reanima/verbs/convert_options.h"
#include "tools/reanima/verbs/verbs.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

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

/// Refuses outputs that two jobs would make. The message names the first one with its inputs, and counts the others.
/// @throws UsageError
void refuseSharedOutputs(const Plan& plan) {
    std::map<fs::path, const Job*> jobs;
    std::string message;
    std::size_t more = 0;
    for (const Job& job : plan.jobs) {
        const fs::path output = job.output == kStandardStream ? job.output : patternOfOutputs(job);
        if (job.output.empty())
            continue;
        const auto [known, isNew] = jobs.emplace(output == kStandardStream ? output : comparablePath(output), &job);
        if (isNew)
            continue;
        more += message.empty() ? 0 : 1;
        if (message.empty())
            message = twoOutputsAt(output, toUtf8(known->second->inputs.front().path), toUtf8(job.inputs.front().path));
    }
    if (!message.empty())
        throw UsageError(more == 0 ? message : fmt::format("{}; further outputs with this problem: {}", message, more));
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
    refuseSharedOutputs(plan);
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
    refuseSharedOutputs(plan);
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
            throw UsageError("--rig-mesh keep: -s must name a .glb or .gltf, or another rig with a mesh");
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
        const std::filesystem::path path = fromUtf8(input);
        const std::filesystem::path firstPath = fromUtf8(inputs.front());
        const OutputForm& form = formOf(path);
        const OutputForm& first = formOf(firstPath);
        if (!form.holdsMotion() || &form == &first || core::isPattern(input) || input.find(':') != std::string::npos)
            return;
        if (!core::exists(path))
            throw UsageError(
                fmt::format("{}: there is no such file. If this is the output, add -o {}", input, asWord(input)));
        // Several scenes may be motion for one output. A .glb among a game's files is hardly meant as motion.
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
        throw UsageError("-0: needs --outputs or --outputs-from");
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
            "{}: with several outputs, the rig's mesh is left out. Use --rig-mesh keep to write it into each output",
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
                       "converts to glTF, BVH, VRM and other formats, on the game's own skeleton or on another one",
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
