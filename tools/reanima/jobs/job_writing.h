/// Writes the outputs of a job.
#pragma once

#include <optional>
#include <vector>

#include "existing_output.h"
#include "job_result.h"
#include "job_sources.h"

namespace reanima::tool {

/// Whose file an output keeps.
enum class Whose { rigs, inputs };

/// What an output is made from.
struct JobToWrite {
    const Job& job;
    const RunOptions& options;
    const std::vector<Source>& sources;  ///< its inputs, at least one
    const FinishedAsset& made;
    const Target* kept;  ///< the file that the output is, with the clips; null: it is none
    Whose whose;         ///< of that file
    core::Limits limits;
};

/// The existing output, if it is up to date.
[[nodiscard]] std::optional<ExistingOutput> madeAlready(const Job& job, const std::vector<Source>& sources);

/// Refuses to replace an output that was edited, before its inputs are decoded. With one file per clip, those files are
/// checked once they are known.
/// @throws UsageError
void refuseEditedOutput(const Job& job, const RunOptions& options, JobResult& result);

/// Writes the output, or a file for every clip.
/// @throws core::DecodeError, UsageError, OutputError
void writeJob(const JobToWrite& work, JobResult& result);

}  // namespace reanima::tool
