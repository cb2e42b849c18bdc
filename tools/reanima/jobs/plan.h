/// Plans which outputs to make from which inputs.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "job.h"
#include "pipeline/job.h"
#include "tools/reanima/front/recipe.h"

namespace reanima::tool {

/// True for an input that its output can't do without: a skeleton among the inputs, or the first input if there is no
/// skeleton. A group has no such input.
[[nodiscard]] bool isMain(const Job& job, const JobInput& input);

/// The request of a command line or of an entry of a job file.
struct Request {
    std::vector<std::string> inputs;  ///< files, folders, patterns, job files, `-`
    std::string output;               ///< value of -o; may be empty
    std::shared_ptr<const Recipe> recipe;
    bool groups = false;  ///< animations of one skeleton in a folder share an output
};

/// Makes a request from an entry of a job file, with paths relative to the current folder.
/// @throws UsageError, core::DecodeError
using RequestOfJob = std::function<Request(const JobFile& job, const std::filesystem::path& jobFile)>;

struct Plan {
    std::vector<Job> jobs;                       ///< in the order of the inputs, sorted by name within a folder
    std::vector<std::filesystem::path> namedBy;  ///< files that determine the set of outputs
    std::vector<std::string> skipped;            ///< files and links that were left out, with reasons
    std::vector<std::string> notes;              ///< notes about the inputs
    bool isBatch = false;                        ///< more than one output, or a folder, pattern or similar was expanded

    /// Adds to `skipped`.
    void skip(const std::string& path, std::string_view why);
    /// The number of inputs of all jobs, without linked ones. A file that several outputs use is counted once for each.
    [[nodiscard]] std::size_t inputCount() const;
    /// True if the run concerns only one file.
    [[nodiscard]] bool isOneFile() const;
};

/// One output if -o names a file or if the only input is a file, otherwise several.
[[nodiscard]] Recipe::Outputs outputsNamedBy(const std::vector<std::string>& inputs, const std::string& output);

/// Expands folders, patterns, job files, and files with several models. Each model becomes a job. Files in a folder are
/// used if a format claims them. Unreadable files become jobs with a failure.
/// @param threads number of threads for opening files
/// @throws UsageError if the request can't be carried out
[[nodiscard]] Plan makePlan(const Request& request, const RequestOfJob& requestOfJob, unsigned threads);

/// Call it before an existing output is refused. If all inputs are unusable, the job reports this.
/// @throws core::DecodeError for one of several inputs that can't be read, or that no format claims
void requireInputs(const Job& job);

/// If there are several outputs, refuses a names file that identifies clips by number, but not by file.
/// @throws UsageError
void refuseNamesForAny(const Plan& plan);

}  // namespace reanima::tool
