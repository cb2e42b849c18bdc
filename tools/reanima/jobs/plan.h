/// Which inputs give which outputs.
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

/// True for an input without which there is no output, whatever the others give: what the animations among the inputs
/// move, or the first input where none is that. In a group no input is.
[[nodiscard]] bool isMain(const Job& job, const JobInput& input);

/// What a command line or an entry of a job file asks for.
struct Request {
    std::vector<std::string> inputs;  ///< files, folders, patterns, job files, `-`
    std::string output;               ///< as -o says it; may be empty
    std::shared_ptr<const Recipe> recipe;
    bool groups = false;  ///< animations of one skeleton in a folder share an output
};

/// Makes a request of an entry of a job file: its paths are seen from the current folder then.
/// @throws UsageError, core::DecodeError
using RequestOfJob = std::function<Request(const JobFile& job, const std::filesystem::path& jobFile)>;

struct Plan {
    std::vector<Job> jobs;                       ///< in the order of the inputs; the names in a folder are sorted
    std::vector<std::filesystem::path> namedBy;  ///< files that say which outputs there are, or how many
    std::vector<std::string> skipped;            ///< files and links in folders that hold nothing to convert, and why
    std::vector<std::string> notes;              ///< what to say about them
    bool isBatch = false;                        ///< more than one output, or something that had to be looked into

    /// Adds to `skipped`.
    void skip(const std::string& path, std::string_view why);
    /// How many inputs all jobs have, but for those that are linked; a file counts as often as it has outputs.
    [[nodiscard]] std::size_t inputCount() const;
    /// True if all that is done is about one file.
    [[nodiscard]] bool isOneFile() const;
};

/// A request is for a single output if -o names a file, or the only input is a file.
[[nodiscard]] Recipe::Outputs outputsNamedBy(const std::vector<std::string>& inputs, const std::string& output);

/// Looks into folders, patterns and job files, and into files that may hold several models: each model is a job of its
/// own. A file in a folder counts if a format claims it; what can't be read is a job with a failure.
/// @param threads how many to look into files with
/// @throws UsageError if the request itself can't be carried out
[[nodiscard]] Plan makePlan(const Request& request, const RequestOfJob& requestOfJob, unsigned threads);

/// To be called before an output that exists is refused. What is wrong with all inputs, the job says itself.
/// @throws core::DecodeError for one of several inputs that can't be read, or that no format claims
void requireInputs(const Job& job);

/// Refuses names of clips by their numbers for several outputs, if nothing says whose they are.
/// @throws UsageError
void refuseNamesForAny(const Plan& plan);

}  // namespace reanima::tool
