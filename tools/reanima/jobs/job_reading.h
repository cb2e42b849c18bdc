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

/// The inputs of a job. The report of one that can't be read says why, and the others go on.
class JobReading {
  public:
    /// @param result gets a report for each input
    JobReading(const Job& job, const RunOptions& options, JobResult& result);

    /// Reads the files of all inputs.
    /// @throws core::DecodeError of the kind `limit` if they take too much together; UsageError
    void readAll();

    /// Decodes them, without names, rest pose, rig and other settings.
    /// @return nothing if there is nothing to go on with
    /// @throws core::DecodeError if no animation fits and one has to
    [[nodiscard]] std::vector<core::Asset> decodeAll();

    /// The inputs that are good so far.
    [[nodiscard]] const std::vector<Source>& sources() const { return sources_; }
    /// True if an input failed that the output can't do without.
    [[nodiscard]] bool isMainMissing() const { return failureOfMain() != nullptr; }
    /// For what is done while the files of the job are held.
    [[nodiscard]] core::Limits limits() const;

    /// The first of them, after which nothing else may be asked but finishReports().
    [[nodiscard]] Source takeFirst() { return std::move(sources_.front()); }

    /// Leaves reports of the inputs that the user named.
    void finishReports();

  private:
    std::map<std::size_t, Input> readInputs();
    void addSource(std::size_t index, InputOfJob file);
    void addFiles(const Source& source);
    [[nodiscard]] std::optional<core::Asset> decode(const Source& source, const std::vector<core::Asset>& earlier,
                                                    const core::Limits& limits);
    bool onlyInputFails(std::size_t report, const std::function<void()>& work);
    [[nodiscard]] const Failure* failureOfMain() const;
    [[nodiscard]] bool failsWithMain();

    const Job& job_;
    const RunOptions& options_;
    JobResult& result_;
    std::vector<Source> sources_;
    std::set<std::size_t> leftOut_;  ///< indices of inputs that move another skeleton
    std::size_t ofOtherKind_ = 0;    ///< of these, made for another kind
    std::uint64_t filesHeld_ = 0;    ///< bytes of files, and of what the rig refers to
};

}  // namespace reanima::tool
