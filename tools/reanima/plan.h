/// Which inputs give which outputs.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../../importers/job.h"
#include "failure.h"
#include "recipe.h"

namespace reanima::tool {

/// One output and what it is made from.
struct Job {
    std::vector<std::filesystem::path> inputs;
    std::filesystem::path output{};          ///< `-` is standard output
    std::shared_ptr<const Recipe> recipe{};  ///< null if there is a failure
    const Format* format = nullptr;          ///< of the inputs, if it is known already
    std::optional<Failure> failure{};        ///< why nothing can be made; known while planning
};

/// What a command line or an entry of a job file asks for.
struct Request {
    std::vector<std::string> inputs;  ///< files, folders, patterns, job files, `-`
    std::string output;               ///< as -o says it; may be empty
    std::shared_ptr<const Recipe> recipe;
};

/// Makes a request of an entry of a job file: its paths are seen from the current folder then.
/// @throws UsageError, core::DecodeError
using RequestOfJob = std::function<Request(const JobFile& job, const std::filesystem::path& jobFile)>;

struct Plan {
    std::vector<Job> jobs;           ///< in the order of the inputs; the names in a folder are sorted
    std::size_t skipped = 0;         ///< files and links in folders that hold nothing to convert
    std::vector<std::string> notes;  ///< what to say about them
    bool isBatch = false;            ///< more than one output, or something that had to be looked into

    [[nodiscard]] std::size_t inputCount() const;
};

/// Looks into folders, patterns and job files. A file in a folder counts if a format claims it; what can't be read is a
/// job with a failure.
/// @param threads how many to look into files with
/// @throws UsageError if the request itself can't be carried out
[[nodiscard]] Plan makePlan(const Request& request, const RequestOfJob& requestOfJob, unsigned threads);

}  // namespace reanima::tool
