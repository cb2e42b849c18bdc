/// One output from its inputs.
#pragma once

#include "job_result.h"
#include "job_sources.h"
#include "plan.h"

namespace reanima::tool {

/// The inputs of a job as one.
struct LoadedJob {
    std::optional<core::Asset> asset{};  ///< none: the result gives the reason
    std::optional<Source> first{};       ///< the first input with content
    std::optional<Target> own{};         ///< the input's own file, if its meshes are shown
    JobResult result{};                  ///< without an output
};

/// Does everything of a job except writing. Never throws for errors in the input or the options.
[[nodiscard]] LoadedJob loadJob(const Job& job, const RunOptions& options);

/// The same without names, rest pose, rig and other settings: the inputs as the files have them.
[[nodiscard]] LoadedJob mergeJob(const Job& job, const RunOptions& options);

/// Carries out a job. Inputs without content are reported and left out. Never throws for errors in the input, the
/// options or the output. Jobs may run at the same time.
[[nodiscard]] JobResult runJob(const Job& job, const RunOptions& options);

/// The files that a job will write. Decodes the inputs to find those of clips, and the images beside a .gltf, unless
/// that fails.
[[nodiscard]] std::vector<std::filesystem::path> allOutputsOf(const Job& job, const RunOptions& options);

}  // namespace reanima::tool
