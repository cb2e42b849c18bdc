/// Outputs with one clip each, without meshes.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/asset.h"
#include "tools/reanima/front/output_form.h"
#include "tools/reanima/jobs/earlier_run.h"
#include "tools/reanima/jobs/job.h"
#include "tools/reanima/jobs/report.h"

namespace reanima::tool {

/// Outputs of a run that are only known after clips are loaded. Thread-safe.
class ClaimedOutputs {
  public:
    /// @param others files that the run reads, and its other outputs
    explicit ClaimedOutputs(const std::vector<std::filesystem::path>& others);

    /// @throws UsageError if a path is already claimed, or is among the constructor's `others`
    void claim(const std::vector<std::filesystem::path>& paths, const std::string& input);

  private:
    std::mutex mutex_;
    std::set<std::filesystem::path> others_;                // comparable paths
    std::map<std::filesystem::path, std::string> claimed_;  // inputs, by comparable path
};

/// The placeholder for a job's outputs while its clips are unknown: `walk_*.bvh`.
[[nodiscard]] std::filesystem::path patternOfOutputs(const Job& job);

/// The files of a job's clips: `walk_idle.bvh` and so on for the output `walk.bvh`, or the output itself. For
/// `walk.anim`, a clip with the game's numbers for clip and model is written where the engine looks for it:
/// `Animations/98/109.anim` beside the output. A clip that is named as in Memoria is renamed after its new model, if
/// that model's file is named as in the game.
/// @throws core::DecodeError without clips; UsageError for several clips in one file
[[nodiscard]] std::vector<std::filesystem::path> clipOutputs(const Job& job, const core::Asset& asset);

/// Refuses to replace existing files, except unchanged outputs of this program and files equal to the new ones.
/// @param paths see clipOutputs()
/// @throws UsageError
void refuseEditedClips(const std::vector<core::Clip>& clips, const ClipWriter& writer,
                       const std::vector<std::filesystem::path>& paths, const LeftOvers& earlier,
                       const core::Limits& limits);

enum class Existing { replace, keepEqual };

/// Writes a file for every clip. Each file appears whole or not at all.
/// @param paths see clipOutputs()
/// @param existing whether to skip files that are up to date
/// @throws OutputError; core::DecodeError of the kind `limit`
[[nodiscard]] std::vector<ClipOutput> writeClips(const std::vector<core::Clip>& clips, const ClipWriter& writer,
                                                 const std::vector<std::filesystem::path>& paths, Existing existing,
                                                 const core::Limits& limits);

}  // namespace reanima::tool
