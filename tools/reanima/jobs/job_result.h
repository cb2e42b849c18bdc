/// Options for jobs, and the result of a job.
#pragma once

#include "report.h"
#include "tools/reanima/front/binding.h"
#include "tools/reanima/system/console.h"

namespace reanima::tool {

class ClaimedOutputs;
class LeftOvers;

/// Options for all jobs of a run.
struct RunOptions {
    const WarningPolicy& policy;
    bool ifChanged = false;  ///< skip up-to-date outputs, and replace outputs that are unchanged since this program
                             ///< wrote them
    bool force = false;      ///< replace every existing output
    bool onlyInput = false;  ///< there is only one input: an exceeded limit then has its own exit status
    bool skipsOthers =
        false;  ///< leave out non-humanoids if the rig is a humanoid, since batches contain all sorts of files
    BindReport::Shown shownLinks = BindReport::Shown::apart;  ///< rows in tables of joints
    std::vector<std::filesystem::path> besides{};             ///< files that the run writes in addition to the outputs
    ClaimedOutputs* claimed = nullptr;                        ///< outputs of all jobs; null: there is only one job
    const LeftOvers* earlier = nullptr;                       ///< outputs of an earlier run; with ifChanged
    bool reports = false;                                     ///< also describe unchanged outputs in the reports
    gltf::Looks looks = gltf::Looks::leftOut;                 ///< whether the input's own file is drawn

    /// Sets the exit status of an exceeded limit if there is only one input.
    [[nodiscard]] Failure ranked(Failure failure) const {
        if (failure.status == kLimitExceeded && !onlyInput)
            failure.status = kInputFailed;
        return failure;
    }
    /// @throws core::DecodeError if warnings about an input count as errors
    void refuseWarnings(const InputReport& report, const core::Diagnostics& diagnostics) const {
        if (policy.fails(diagnostics))
            throw core::DecodeError("warnings count as errors").inFile(report.input);
    }
};

/// The result of a job.
struct JobResult {
    enum class End { converted, unchanged, skipped, failed };

    End end = End::failed;
    std::vector<InputReport> reports;            ///< one per input
    std::vector<ClipOutput> outputs;             ///< outputs with one clip per file, otherwise empty
    std::vector<std::filesystem::path> refused;  ///< outputs that stay unchanged because they, or files made with them,
                                                 ///< were edited
    std::optional<Failure> failure;              ///< failure of the whole job
    std::string written;                         ///< a summary of the outputs, for the user
    std::string motion;                          ///< changes to the motion, for the user
    const Target* target = nullptr;              ///< the recipe's target to which clips were bound
    std::string binding;                         ///< a table of joints, if clips were bound to another skeleton
    std::vector<std::string> companions;         ///< further files in use, and their roles
    std::vector<std::filesystem::path> read;     ///< every file that the output depends on
    int status = kDone;                          ///< an ExitStatus
};

}  // namespace reanima::tool
