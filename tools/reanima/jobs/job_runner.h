/// One output from its inputs.
#pragma once

#include "clip_files.h"
#include "plan.h"
#include "report.h"
#include "tools/reanima/system/console.h"

namespace reanima::tool {

/// What all jobs of a run have in common.
struct RunOptions {
    const WarningPolicy& policy;
    bool ifChanged = false;  ///< leave an output alone that is what would be written; replace what this program wrote
    bool force = false;      ///< replace whatever is there
    bool onlyInput = false;  ///< there is nothing else to be done: a limit that is exceeded has its own status
    bool skipsOthers =
        false;  ///< leave out what is no humanoid where the rig is one: a batch meets all sorts of things
    BindReport::Shown shownLinks = BindReport::Shown::apart;  ///< in tables of joints
    std::vector<std::filesystem::path> besides{};             ///< what the run writes besides the outputs
    ClaimedOutputs* claimed = nullptr;                        ///< of all jobs; null: there is one alone
    const LeftOvers* earlier = nullptr;                       ///< what an earlier run made; with ifChanged
    bool reports = false;  ///< outputs that stay as they are, too, are described in the reports
};

/// What became of a job.
struct JobResult {
    enum class End { converted, unchanged, skipped, failed };

    End end = End::failed;
    std::vector<InputReport> reports;            ///< one for each input
    std::vector<ClipOutput> outputs;             ///< where every clip has a file, or the only one; else empty
    std::vector<std::filesystem::path> refused;  ///< outputs that stay as they are, since one of them was edited
    std::optional<Failure> failure;              ///< of the job as a whole
    std::string written;                         ///< what was written, for the user
    std::string motion;                          ///< what was changed about the motion, for the user
    const Target* target = nullptr;              ///< what clips were bound to; the recipe's
    std::string binding;                         ///< a table of joints, where clips were bound to another skeleton
    std::vector<std::string> companions;         ///< which files were used besides the inputs, and as what
    std::vector<std::filesystem::path> read;     ///< every file that the output depends on
    int status = kDone;                          ///< an ExitStatus
};

/// What an output of a job is made from.
struct LoadedJob {
    std::optional<core::Asset> asset;  ///< none: the result says why
    const Format* format = nullptr;    ///< of the first input that gave something
    JobResult result;                  ///< without an output
};

/// Does everything of a job but writing. Never throws for what is wrong with the input or the options.
[[nodiscard]] LoadedJob loadJob(const Job& job, const RunOptions& options);

/// Carries out a job. Inputs that give nothing are reported and left out. Never throws for what is wrong with the
/// input, the options or the output. Jobs may run at the same time.
[[nodiscard]] JobResult runJob(const Job& job, const RunOptions& options);

/// The files of a job that has one for every clip. Decodes its inputs to find out; none where that fails.
[[nodiscard]] std::vector<std::filesystem::path> clipOutputsOf(const Job& job, const RunOptions& options);

/// The images that a job will write beside a .gltf. Decodes its inputs to find out; none where that fails.
[[nodiscard]] std::vector<std::filesystem::path> imagesOf(const Job& job, const RunOptions& options);

}  // namespace reanima::tool
