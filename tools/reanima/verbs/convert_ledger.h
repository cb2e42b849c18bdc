/// The results of a run of `convert`: messages, report, depfile, and outputs of earlier runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tools/reanima/jobs/batch_messages.h"
#include "tools/reanima/jobs/earlier_run.h"
#include "tools/reanima/jobs/job_runner.h"
#include "tools/reanima/system/console.h"
#include "tools/reanima/system/files.h"
#include "tools/reanima/verbs/convert_options.h"

namespace reanima::tool {

/// Prints the results of the jobs in their order, and counts them.
class Ledger {
  public:
    Ledger(const ConvertOptions& options, const Plan& plan, const Console& console);

    /// Prints the messages of the next job, and adds its outputs to the report and the depfile.
    void enter(const Job& job, const JobResult& result);

    /// The outputs of an earlier run.
    [[nodiscard]] const LeftOvers& earlier() const { return leftOvers_; }

    /// Lists or removes outputs of an earlier run, prints the totals, and writes the report and the depfile.
    /// @return the exit status
    int close();

  private:
    /// Appends lines to the report: one for an input, or one for each file with its clips.
    void addLines(const InputReport& report, const std::vector<ClipOutput>& outputs);
    /// The count of inputs with this result.
    std::size_t& countOf(const InputReport& report);
    /// Prints messages. A message about a file with several models is printed only once.
    void printDiagnostics(const InputReport& report);
    /// False for text outputs, whose angles all programs show alike.
    [[nodiscard]] static bool isForPlayers(const InputReport& report);
    /// Lists or removes outputs of an earlier run that this run did not make.
    void handleLeftOvers();
    /// The last line of the report of a batch.
    [[nodiscard]] std::string lineOfSums() const;
    /// The number of inputs without a result, in a run that was interrupted.
    [[nodiscard]] std::size_t left() const { return plan_.inputCount() - converted_ - failed_ - unchanged_ - others_; }
    /// True if there are too many outputs to print a line for each.
    [[nodiscard]] bool isLarge() const;
    /// True if the report or the depfile was also read to make an output. Prints this error unless a job already did.
    [[nodiscard]] bool namesInput() const;
    /// The last message: how many inputs had which result.
    [[nodiscard]] std::string summary() const;

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
    std::set<std::filesystem::path> read_;  ///< files read for any output
    std::string missing_;                   ///< a missing input of the command line
    LeftOvers leftOvers_;
    std::size_t converted_ = 0;
    std::size_t unchanged_ = 0;
    std::size_t failed_ = 0;
    std::size_t others_ = 0;  ///< number of skipped non-humanoids
    std::size_t removed_ = 0;
    std::size_t warnings_ = 0;
    std::uint64_t bytes_ = 0;
    int status_ = kDone;
};

}  // namespace reanima::tool
