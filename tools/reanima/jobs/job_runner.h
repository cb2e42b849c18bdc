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
    bool ifChanged = false;  ///< skip up-to-date outputs and replace unchanged ones of this program
    bool force = false;      ///< replace whatever is there
    bool onlyInput = false;  ///< it is the only input: an exceeded limit then has its own status
    bool skipsOthers =
        false;  ///< leave out non-humanoids if the rig is a humanoid, since batches contain all sorts of files
    BindReport::Shown shownLinks = BindReport::Shown::apart;  ///< in tables of joints
    std::vector<std::filesystem::path> besides{};             ///< files that the run writes besides the outputs
    ClaimedOutputs* claimed = nullptr;                        ///< of all jobs; null: there is only one
    const LeftOvers* earlier = nullptr;                       ///< outputs of an earlier run; with ifChanged
    bool reports = false;                                     ///< also describe unchanged outputs in the reports
    gltf::Looks looks = gltf::Looks::leftOut;                 ///< whether the input's own file is drawn
};

/// The result of a job.
struct JobResult {
    enum class End { converted, unchanged, skipped, failed };

    End end = End::failed;
    std::vector<InputReport> reports;            ///< one for each input
    std::vector<ClipOutput> outputs;             ///< outputs with one clip per file; else empty
    std::vector<std::filesystem::path> refused;  ///< outputs that stay unchanged because one of them was edited
    std::optional<Failure> failure;              ///< of the job as a whole
    std::string written;                         ///< what was written, for the user
    std::string motion;                          ///< changes to the motion, for the user
    const Target* target = nullptr;              ///< the recipe's target to which clips were bound
    std::string binding;                         ///< a table of joints, if clips were bound to another skeleton
    std::vector<std::string> companions;         ///< further files that were used, and their roles
    std::vector<std::filesystem::path> read;     ///< every file that the output depends on
    int status = kDone;                          ///< an ExitStatus
};

/// The loaded inputs of a job.
struct LoadedJob {
    std::optional<core::Asset> asset;  ///< none: the result gives the reason
    const Format* format = nullptr;    ///< of the first input with content
    std::optional<Target> own{};       ///< the input's own file, if its meshes are shown
    JobResult result;                  ///< without an output
};

/// Does everything of a job except writing. Never throws for errors in the input or the options.
[[nodiscard]] LoadedJob loadJob(const Job& job, const RunOptions& options);

/// The inputs of a job as one, as the files have it.
struct MergedJob {
    std::optional<core::Asset> asset;  ///< none: the result gives the reason
    Input input{};                     ///< the first one with content
    Companions companions{};           ///< of that
    OptionValues options{};            ///< for that
    JobResult result;                  ///< without an output
};

/// Loads the inputs of a job, without names, rest pose, rig and other settings. Never throws for errors in the input or
/// the options.
[[nodiscard]] MergedJob mergeJob(const Job& job, const RunOptions& options);

/// Carries out a job. Inputs without content are reported and left out. Never throws for errors in the input, the
/// options or the output. Jobs may run at the same time.
[[nodiscard]] JobResult runJob(const Job& job, const RunOptions& options);

/// The files of a job with one file per clip. Decodes the inputs to find them; empty if that fails.
[[nodiscard]] std::vector<std::filesystem::path> clipOutputsOf(const Job& job, const RunOptions& options);

/// The images that a job will write beside a .gltf. Decodes the inputs to find them; empty if that fails.
[[nodiscard]] std::vector<std::filesystem::path> imagesOf(const Job& job, const RunOptions& options);

}  // namespace reanima::tool
