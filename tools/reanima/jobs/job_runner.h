/// Makes one output from its inputs.
#pragma once

#include "job_result.h"
#include "job_sources.h"
#include "plan.h"

namespace reanima::tool {

/// The merged inputs of a job.
struct LoadedJob {
    std::optional<core::Asset> asset{};  ///< empty: `result` contains the reason
    std::optional<Source> first{};       ///< the first input with content
    std::optional<Target> own{};         ///< the input's own file, if its meshes are shown
    JobResult result{};                  ///< without an output
};

/// Does all work of a job except writing. Never throws for errors in the input or the options.
[[nodiscard]] LoadedJob loadJob(const Job& job, const RunOptions& options);

/// Reads and merges the inputs, without applying names, rest pose, rig and other settings.
[[nodiscard]] LoadedJob mergeJob(const Job& job, const RunOptions& options);

/// Carries out a job. Inputs without content are reported and left out. Never throws for errors in the input, the
/// options or the output. Several threads may run jobs.
[[nodiscard]] JobResult runJob(const Job& job, const RunOptions& options);

/// The files that a job will write. To find the files of clips, and the images beside a .gltf, it decodes the inputs.
/// If that fails, these files are missing.
[[nodiscard]] std::vector<std::filesystem::path> allOutputsOf(const Job& job, const RunOptions& options);

}  // namespace reanima::tool
