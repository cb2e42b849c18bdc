/// Reads and decodes the inputs of a job.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "job_result.h"
#include "job_sources.h"

namespace reanima::tool {

/// Reads the inputs of a job. An unreadable input gets a failure in its report, and the others are still read.
class JobReading {
  public:
    /// @param result a report for each input is added
    JobReading(const Job& job, const RunOptions& options, JobResult& result);

    /// Reads the files of all inputs.
    /// @throws core::DecodeError of the kind `limit` if they need too much memory together; UsageError
    void readAll();

    /// Decodes the inputs, without applying names, rest pose, rig and other settings.
    /// @return empty if no input can be used
    /// @throws core::DecodeError if no animation fits and one must fit
    [[nodiscard]] std::vector<core::Asset> decodeAll();

    /// After decoding, adds to the result the files that were found beside the inputs and their companions.
    /// @throws UsageError if the run would replace one of them
    void tellFilesBeside();

    /// The inputs without failures so far.
    [[nodiscard]] const std::vector<Source>& sources() const { return sources_; }
    /// True if an input that the output needs has failed.
    [[nodiscard]] bool isMainMissing() const { return failureOfMain() != nullptr; }
    /// The limits for work while the files of the job are in memory.
    [[nodiscard]] core::Limits limits() const;

    /// Moves the first input out. Then only finishReports() may be called.
    [[nodiscard]] Source takeFirst() { return std::move(sources_.front()); }

    /// Removes the reports of inputs that the user did not name.
    void finishReports();

  private:
    std::map<std::size_t, Input> readInputs();
    void addSource(std::size_t index, InputOfJob file);
    void tellFiles(const Source& source);
    [[nodiscard]] std::optional<core::Asset> decode(const Source& source, const std::vector<core::Asset>& earlier,
                                                    const core::Limits& limits);
    bool onlyInputFails(std::size_t report, const std::function<void()>& work);
    [[nodiscard]] const Failure* failureOfMain() const;
    [[nodiscard]] bool failsWithMain();

    const Job& job_;
    const RunOptions& options_;
    JobResult& result_;
    std::vector<Source> sources_;
    std::set<std::size_t> leftOut_;  ///< indices of inputs for another skeleton
    std::size_t ofOtherKind_ = 0;    ///< number of inputs in leftOut_ for another kind of skeleton
    std::uint64_t filesHeld_ = 0;    ///< bytes of input files, and of files that the rig refers to
};

}  // namespace reanima::tool
