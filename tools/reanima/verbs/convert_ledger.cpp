#include "tools/reanima/verbs/convert_ledger.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "json/json.h"
#include "tools/reanima/jobs/depfile.h"
#include "tools/reanima/jobs/existing_output.h"
#include "tools/reanima/system/platform.h"

namespace reanima::tool {

namespace fs = std::filesystem;

namespace {

/// The outputs that the report for --prune lists. Without --prune, those that the existing --report lists.
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
                       {"input", output.input.empty() ? Json(nullptr) : Json(output.input)},
                       {"output", toUtf8(output.path)},
                       {"status", "left"},
                       {"key", output.key},
                       {"hash", output.hash.empty() ? Json(nullptr) : Json(output.hash)},
                       {"warnings", Json::array()}};  // for programs that collect the warnings of all lines
    return toLine(line) + "\n";
}

/// True for a missing input of the command line. Its disk may not be mounted.
bool isNamedAndMissing(const std::string& input, const ConvertOptions& options) {
    return std::ranges::find(options.inputs, input) != options.inputs.end() && input != kStandardStream &&
           !core::exists(fromUtf8(input)) && !options.conversion.input.files->exists(input);
}

constexpr std::size_t kMostLines = 20;  // messages of a kind that are printed without -v

void sayEach(const Console& console, const std::vector<fs::path>& outputs, std::string_view what) {
    const std::size_t said = console.verbose ? outputs.size() : std::min(outputs.size(), kMostLines);
    for (std::size_t i = 0; i < said; ++i)
        console.say(fmt::format("{}: {}", toUtf8(outputs[i]), what));
    if (said < outputs.size())
        console.say(fmt::format("{} more messages like these. Use -v to see them", outputs.size() - said));
}

/// Reports that outputs of an earlier run stay, since inputs may be missing in this run.
/// @param because the reason, as `hero.glb: is missing`
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

}  // namespace

Ledger::Ledger(const ConvertOptions& options, const Plan& plan, const Console& console)
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

void Ledger::enter(const Job& job, const JobResult& result) {
    progress_.hide();
    if (result.target != nullptr && rigs_.insert(result.target).second)
        console_.print(result.target->diagnostics);
    for (const InputReport& report : result.reports) {
        printDiagnostics(report);
        if (report.failure && isNamedAndMissing(report.input, options_))
            missing_ = report.input;
        if (report.failure)
            leftOvers_.addFailedInput(report.input);
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

int Ledger::close() {
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
        report_->append(lineOfSums());
    for (std::optional<OutputFile>* file : {&report_, &depfile_})
        if (*file)
            (*file)->commit();
    const bool isDoneInPart = status_ == kUsage && converted_ + unchanged_ > 0;
    return interrupted() ? kInterrupted : isDoneInPart ? kInputFailed : status_;
}

void Ledger::addLines(const InputReport& report, const std::vector<ClipOutput>& outputs) {
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

std::size_t& Ledger::countOf(const InputReport& report) {
    if (report.failure)
        return failed_;
    return report.skipped ? others_ : report.unchanged ? unchanged_ : converted_;
}

void Ledger::printDiagnostics(const InputReport& report) {
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

bool Ledger::isForPlayers(const InputReport& report) { return !formOf(fromUtf8(report.output)).isText(); }

void Ledger::handleLeftOvers() {
    std::ranges::for_each(read_, [this](const fs::path& file) { leftOvers_.addRead(file); });
    const std::vector<std::string> unread = unreadFiles();
    // A folder without inputs may be an unmounted disk.
    const std::string because = !missing_.empty()    ? missing_ + ": is missing"
                                : !unread.empty()    ? unread.front()
                                : plan_.jobs.empty() ? "nothing to convert was found"
                                                     : "";
    const bool isPruned = !options_.pruned.empty() && because.empty();
    std::vector<fs::path> listed;
    std::vector<fs::path> edited;
    std::vector<fs::path> failed = leftOvers_.unlisted();
    using Kind = LeftOver::Kind;
    for (const auto& [output, kind] : leftOvers_.listed()) {
        const bool isListed = kind == Kind::asWritten || (kind == Kind::edited && options_.force);
        if (isListed)
            listed.push_back(output.path);
        else if (kind == Kind::failed)
            failed.push_back(output.path);
        else if (kind != Kind::refused)
            edited.push_back(output.path);
        const bool stays = !isPruned || !isListed;
        if (report_ && stays)
            report_->append(lineOfLeft(output));  // for later runs
    }
    if (!options_.pruned.empty() && !isPruned && !listed.empty()) {
        sayUnpruned(console_, because, listed.size());
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
        sayEach(console_, failed, "stays unchanged, because it could not be made again");
}

std::string Ledger::lineOfSums() const {
    const Json line = {{"schema", 1},
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
    return toLine(line) + "\n";
}

bool Ledger::isLarge() const { return plan_.jobs.size() > kMostLines && !console_.verbose; }

bool Ledger::namesInput() const {
    try {
        refuseClashes(besidesOf(options_), {read_.begin(), read_.end()});
        return false;
    } catch (const UsageError& error) {
        if (!told_.contains(error.what()))
            console_.error(error.what());
        return true;
    }
}

std::string Ledger::summary() const {
    std::string text = fmt::format("{} converted, {} failed, {} skipped", converted_, failed_, plan_.skipped.size());
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

}  // namespace reanima::tool
