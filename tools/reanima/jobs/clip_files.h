/// Outputs that hold one clip each, without meshes.
#pragma once

#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/asset.h"
#include "pipeline/bvh_file.h"
#include "pipeline/memoria_file.h"
#include "pipeline/pipeline.h"
#include "tools/reanima/jobs/earlier_run.h"
#include "tools/reanima/jobs/job.h"

namespace reanima::tool {

/// A file that was made of a clip, or is as it would be made.
struct ClipOutput {
    std::filesystem::path path;
    std::size_t frames = 0;  ///< of the clip
    std::size_t bytes = 0;
    std::string key;   ///< see ExistingOutput
    std::string hash;  ///< see ExistingOutput
    bool isUnchanged = false;
};

/// What the jobs of a run write that is not known before their clips are. Any thread may call.
class ClaimedOutputs {
  public:
    /// @param others what the run reads, and what else it writes
    explicit ClaimedOutputs(const std::vector<std::filesystem::path>& others);

    /// @throws UsageError for a path that is claimed already, or is one of the others
    void claim(const std::vector<std::filesystem::path>& paths);

  private:
    std::mutex mutex_;
    std::set<std::filesystem::path> others_;   // comparable
    std::set<std::filesystem::path> claimed_;  // comparable
};

/// What stands for the outputs of a job before its clips are known: `walk_*.bvh`.
[[nodiscard]] std::filesystem::path patternOfOutputs(const Job& job);

/// Where the clips of a job's asset go: `walk_idle.bvh` and so on for the output `walk.bvh`, or the output itself. Of
/// an output `walk.anim` a clip whose number and model are known by the game goes where its engine looks for it:
/// `Animations/98/109.anim` beside it.
/// @throws core::DecodeError if there is no clip; UsageError for several that are to go into one file
[[nodiscard]] std::vector<std::filesystem::path> clipOutputs(const Job& job, const core::Asset& asset);

enum class Existing { replace, keepEqual };

/// The clips of an asset as files.
class ClipFiles {
  public:
    /// @param asset outlives this
    /// @param form `bvh`, `anim`, or `vrma`, for which the asset is a humanoid
    /// @param standing for BVH, else without meaning
    /// @param contentKey of files that hold one
    /// @param diagnostics gets a warning for what such files do not hold
    ClipFiles(const core::Asset& asset, std::string_view form, const std::optional<StandingPose>& standing,
              std::string contentKey, core::Diagnostics& diagnostics);

    /// Refuses to replace files that are there, unless they still are what this program wrote, or are as they would be
    /// made. @throws UsageError
    void refuseEdited(const std::vector<std::filesystem::path>& paths, const LeftOvers& earlier,
                      const core::Limits& limits) const;

    /// Each appears whole or not at all.
    /// @param paths see clipOutputs()
    /// @param existing whether files that are as they would be made stay
    /// @throws OutputError; core::DecodeError of the kind `limit`
    [[nodiscard]] std::vector<ClipOutput> write(const std::vector<std::filesystem::path>& paths, Existing existing,
                                                const core::Limits& limits) const;

  private:
    /// A file, and the hash that it holds; of one that holds none, of its bytes.
    struct Made {
        core::ByteVector bytes;
        std::string hash;
    };
    /// @param alone what VRM animations hold beside a clip, which it gets
    [[nodiscard]] Made make(const core::Clip& clip, core::Asset& alone, const core::Limits& limits) const;
    [[nodiscard]] core::Asset withoutClips() const;

    const core::Asset& asset_;
    std::string contentKey_;
    std::optional<BvhWriter> bvh_;
    std::optional<MemoriaWriter> memoria_;  ///< neither: VRM animations are written
};

}  // namespace reanima::tool
