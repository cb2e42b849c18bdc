/// Outputs of an earlier run of `convert` that the current run does not make.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/limits.h"
#include "tools/reanima/jobs/existing_output.h"
#include "tools/reanima/system/console.h"

namespace reanima::tool {

/// An output from a report: made, or already up to date.
struct EarlierOutput {
    std::filesystem::path path;
    std::string input;                         ///< as the report names it
    std::string key;                           ///< its content key
    std::string hash;                          ///< detects edits; empty in reports of earlier versions
    std::map<std::string, OutputFacts> facts;  ///< by input
};

/// The outputs in the report of an earlier run, each once.
/// @throws core::DecodeError if the file can't be read, or is no report
[[nodiscard]] std::vector<EarlierOutput> outputsInReport(const std::filesystem::path& report,
                                                         const core::Limits& limits);

/// An output of an earlier run that the current run did not make.
struct LeftOver {
    enum class Kind {
        asWritten,
        edited,    ///< edited, but its content key shows that it is this output
        replaced,  ///< without a content key, and its bytes differ, so it was edited or is another program's file
        refused,   ///< this run did not replace it, because it or a file made with it was edited
        failed,    ///< its input could not be converted this time
    };

    EarlierOutput output;
    Kind kind;
};

/// Collects outputs of an earlier run that this run did not make.
class LeftOvers {
  public:
    explicit LeftOvers(std::vector<EarlierOutput> earlier);

    /// The hash of an output in the earlier report. Empty without one. Thread-safe.
    [[nodiscard]] std::string reportedHash(const std::filesystem::path& output) const;

    /// The facts in the earlier report about an output of an input. Empty if it lists none with this content key.
    /// Thread-safe.
    [[nodiscard]] OutputFacts reportedFacts(const std::filesystem::path& output, const std::string& input,
                                            const std::string& key) const;

    /// Adds an output that this run made or that was up to date.
    void addMade(const std::filesystem::path& output);
    /// Adds an output that could not be made.
    void addFailed(const std::filesystem::path& output) { failed_.push_back(output); }
    /// Adds an input that could not be converted. Its earlier outputs stay, and so do those of its entries.
    void addFailedInput(const std::string& input) { failedInputs_.insert(input); }
    /// Adds outputs of a job that stay unchanged because one of them was edited.
    void addRefused(const std::vector<std::filesystem::path>& outputs);
    /// Adds a file that this run read.
    void addRead(const std::filesystem::path& file);

    /// Left-over outputs from the earlier report, except those replaced by files with another content key.
    [[nodiscard]] std::vector<LeftOver> listed() const;
    /// Outputs that could not be made, but exist as files that the earlier report does not list.
    [[nodiscard]] std::vector<std::filesystem::path> unlisted() const;

  private:
    [[nodiscard]] std::optional<LeftOver::Kind> kindOf(const EarlierOutput& output) const;
    [[nodiscard]] bool isOfFailedInput(const EarlierOutput& output) const;

    std::vector<EarlierOutput> earlier_;
    std::map<std::filesystem::path, std::size_t> indices_;  ///< of earlier outputs, by comparable path
    std::set<std::filesystem::path> inUse_;                 ///< comparable paths
    std::set<std::filesystem::path> refused_;               ///< comparable paths
    std::vector<std::filesystem::path> failed_;
    std::set<std::string> failedInputs_;
};

/// Removes outputs with their parts: the buffer and the images of a .gltf.
/// @param below folder of the outputs; empty folders in it are then removed. May be empty
/// @param report called for each output that can't be removed
/// @return the removed outputs
[[nodiscard]] std::vector<std::filesystem::path> removeOutputs(const std::vector<std::filesystem::path>& outputs,
                                                               const std::filesystem::path& below,
                                                               const std::function<void(const OutputError&)>& report);

}  // namespace reanima::tool
