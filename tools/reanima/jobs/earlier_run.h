/// Outputs of an earlier run of `convert` for which a run has nothing now.
#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/limits.h"
#include "tools/reanima/system/console.h"

namespace reanima::tool {

/// An output that was made, or was there already, as a report says.
struct EarlierOutput {
    std::filesystem::path path;
    std::string key;  ///< its content key, see isMadeFrom()
};

/// The outputs that a report of an earlier run lists, each once.
/// @throws core::DecodeError if it can't be read, or is no report
[[nodiscard]] std::vector<EarlierOutput> outputsInReport(const std::filesystem::path& report,
                                                         const core::Limits& limits);

/// What lies where a run made nothing, although an earlier one did.
class LeftOvers {
  public:
    explicit LeftOvers(std::vector<EarlierOutput> earlier);

    /// An output that this run made, or left as it was because it is what would be made.
    void addMade(const std::filesystem::path& output);
    /// An output that could not be made.
    void addFailed(const std::filesystem::path& output) { failed_.push_back(output); }
    /// A file that this run read.
    void addRead(const std::filesystem::path& file);

    /// Those that the earlier run lists and that still are what it made.
    [[nodiscard]] std::vector<EarlierOutput> listed() const;
    /// Files in the places of outputs that could not be made, of which the earlier run does not tell.
    [[nodiscard]] std::vector<std::filesystem::path> unlisted() const;

  private:
    std::vector<EarlierOutput> earlier_;
    std::set<std::filesystem::path> places_;  ///< of these, comparable
    std::set<std::filesystem::path> inUse_;   ///< comparable
    std::vector<std::filesystem::path> failed_;
};

/// Removes outputs, each with what belongs to it: the buffer and the images of a .gltf.
/// @param below folder of the outputs: folders in it that are empty then are removed, too; may be empty
/// @param report is called for each that can't be removed
/// @return the others
[[nodiscard]] std::vector<std::filesystem::path> removeOutputs(const std::vector<std::filesystem::path>& outputs,
                                                               const std::filesystem::path& below,
                                                               const std::function<void(const OutputError&)>& report);

}  // namespace reanima::tool
