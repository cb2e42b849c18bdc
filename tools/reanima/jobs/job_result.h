/// How jobs are done, and what became of one.
#pragma once

#include "report.h"
#include "tools/reanima/front/binding.h"
#include "tools/reanima/system/console.h"

namespace reanima::tool {

class ClaimedOutputs;
class LeftOvers;

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

    /// An exceeded limit has its own status if there is only one input.
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

}  // namespace reanima::tool
