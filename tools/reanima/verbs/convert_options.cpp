#include "tools/reanima/verbs/convert_options.h"

#include <utility>

#include <fmt/format.h>

#include "tools/reanima/system/files.h"
#include "tools/reanima/system/parallel.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

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

}  // namespace

void declareOptions(Arguments& arguments, ConvertOptions& options) {
    arguments.list(
        "INPUT", options.inputs, "",
        "files, folders (with -o FOLDER/), patterns in quotes, job files (NAME.reanima.json), or - (standard "
        "input)");
    arguments.text(
        "-o,--output", options.output, "OUT",
        formsInWords() +
            ", FOLDER/ (one file per input or clip, in the subfolders of the inputs), or - (standard output). "
            "Default: the input's name with .glb, in the current folder");
    addOutputForm(arguments, options.conversion);
    arguments.flag("--force", options.force, "replace outputs that exist");
    arguments.flag(
        "--group", options.groups,
        "for folders: write one output per skeleton, with all its animations. The output has the skeleton's name");
    addConversionOptions(arguments, options.conversion);
    arguments.heading("Pipelines");
    arguments.checked(
        "-j,--jobs", [&options](const std::string& text) { return setThreads(text, options.threads); }, "N|auto",
        "number of outputs to make at the same time. Default: auto, which means one per processor, or fewer if there "
        "is not enough memory for --limit-memory per output");
    arguments.flag("--if-changed", options.ifChanged,
                   "skip outputs that are up to date. Replace the others, unless they were edited");
    arguments.flag("--outputs", options.listOutputs,
                   "print the names of the outputs, one per line, and do nothing else");
    arguments.flag("-0,--null", options.separatedByNull,
                   "with --outputs or --outputs-from: end every name with a NUL byte");
    arguments.flag("--outputs-from", options.listOutputsFrom,
                   "print the inputs that determine the list of outputs (job files, files with several models), and do "
                   "nothing else");
    arguments.text(
        "--depfile", options.depfile, "FILE",
        "write a dependency file for Make, Ninja and CMake. It lists the files that each output was made from");
    arguments.text(
        "--report", options.report, "FILE",
        "write a line of JSON for every output and every failed input. For a batch, the last line contains totals");
    arguments.text(
        "--prune", options.pruned, "REPORT",
        "remove the outputs that an earlier run listed in REPORT and this run does not make. Edited outputs stay");
    arguments.heading({});
}

void takeInputsFromLoopKey(ConvertOptions& options) {
    for (std::string& selection : options.conversion.settings["loop-key"])
        if (!selection.empty() && core::exists(fromUtf8(selection)))
            options.inputs.push_back(std::exchange(selection, {}));
}

std::vector<fs::path> besidesOf(const ConvertOptions& options) {
    std::vector<fs::path> files;
    for (const std::string& path : {options.report, options.depfile})
        if (!path.empty() && path != kStandardStream)
            files.push_back(fromUtf8(path));
    return files;
}

}  // namespace reanima::tool
