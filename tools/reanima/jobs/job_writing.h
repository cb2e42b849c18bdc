/// Writes the outputs of a job.
#pragma once

#include <optional>
#include <vector>

#include "existing_output.h"
#include "job_result.h"
#include "job_sources.h"

namespace reanima::tool {

/// The owner of a file that an output keeps.
enum class Whose { rigs, inputs };

/// The content of an output.
struct JobToWrite {
    const Job& job;
    const RunOptions& options;
    const std::vector<Source>& sources;  ///< its inputs, at least one
    const FinishedAsset& made;
    const Target* kept;  ///< the file that the output keeps and adds clips to; null: a new file
    Whose whose;         ///< owner of that file
    core::Limits limits;
};

/// The existing output if it is up to date, otherwise empty.
[[nodiscard]] std::optional<ExistingOutput> madeAlready(const Job& job, const std::vector<Source>& sources);

/// Before inputs are decoded, refuses to replace an edited output. Files with one clip each are checked later, when
/// they are known.
/// @throws UsageError
void refuseEditedOutput(const Job& job, const RunOptions& options, JobResult& result);

/// Writes the output, or a file for every clip.
/// @throws core::DecodeError, UsageError, OutputError
void writeJob(const JobToWrite& work, JobResult& result);

}  // namespace reanima::tool
