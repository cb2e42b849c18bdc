/// Outputs of an earlier run of `convert` for which a run has nothing now.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/limits.h"
#include "tools/reanima/system/console.h"

namespace reanima::tool {

/// An output that was made, or was there already, as a report says.
struct EarlierOutput {
    std::filesystem::path path;
    std::string key;   ///< its content key
    std::string hash;  ///< by which an edit is noticed; empty in reports of earlier versions
};

/// The outputs that a report of an earlier run lists, each once.
/// @throws core::DecodeError if it can't be read, or is no report
[[nodiscard]] std::vector<EarlierOutput> outputsInReport(const std::filesystem::path& report,
                                                         const core::Limits& limits);

/// An output of an earlier run for which this one made nothing.
struct LeftOver {
    enum class Kind {
        asWritten,
        edited,    ///< of which the content key tells where it comes from
        replaced,  ///< a file without such a key, with other bytes: edited, or another file
        refused,   ///< this run was to make it, or what is made with it, and did not since something was edited
    };

    EarlierOutput output;
    Kind kind;
};

/// What lies where a run made nothing, although an earlier one did.
class LeftOvers {
  public:
    explicit LeftOvers(std::vector<EarlierOutput> earlier);

    /// The hash that the earlier run states for an output; empty if it states none. Any thread may call.
    [[nodiscard]] std::string reportedHash(const std::filesystem::path& output) const;

    /// An output that this run made, or left as it was because it is what would be made.
    void addMade(const std::filesystem::path& output);
    /// An output that could not be made.
    void addFailed(const std::filesystem::path& output) { failed_.push_back(output); }
    /// Outputs of a job that stay as they are, since one of them was edited.
    void addRefused(const std::vector<std::filesystem::path>& outputs);
    /// A file that this run read.
    void addRead(const std::filesystem::path& file);

    /// Those that the earlier run lists, unless others that tell so themselves stand in their places.
    [[nodiscard]] std::vector<LeftOver> listed() const;
    /// Files in the places of outputs that could not be made, of which the earlier run does not tell.
    [[nodiscard]] std::vector<std::filesystem::path> unlisted() const;

  private:
    [[nodiscard]] std::optional<LeftOver::Kind> kindOf(const EarlierOutput& output) const;

    std::vector<EarlierOutput> earlier_;
    std::map<std::filesystem::path, std::string> hashes_;  ///< of these, by their comparable places
    std::set<std::filesystem::path> inUse_;                ///< comparable
    std::set<std::filesystem::path> refused_;              ///< comparable
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
