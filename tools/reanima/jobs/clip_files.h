/// Outputs with one clip each, without meshes.
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

/// A file that was made from a clip, or that is up to date.
struct ClipOutput {
    std::filesystem::path path;
    std::size_t frames = 0;  ///< of the clip
    std::size_t bytes = 0;
    std::string key;   ///< see ExistingOutput
    std::string hash;  ///< see ExistingOutput
    bool isUnchanged = false;
};

/// Outputs of a run that are only known once clips are loaded. Thread-safe.
class ClaimedOutputs {
  public:
    /// @param others files that the run reads, and its other outputs
    explicit ClaimedOutputs(const std::vector<std::filesystem::path>& others);

    /// @throws UsageError for a path that is claimed already, or is one of the others
    void claim(const std::vector<std::filesystem::path>& paths);

  private:
    std::mutex mutex_;
    std::set<std::filesystem::path> others_;   // comparable
    std::set<std::filesystem::path> claimed_;  // comparable
};

/// The placeholder for a job's outputs before its clips are known: `walk_*.bvh`.
[[nodiscard]] std::filesystem::path patternOfOutputs(const Job& job);

/// The files of a job's clips: `walk_idle.bvh` and so on for the output `walk.bvh`, or the output itself. For an output
/// `walk.anim`, a clip with the game's numbers for clip and model goes to the path used by the engine,
/// `Animations/98/109.anim` beside the output. A clip with a Memoria name is named after the model that it was bound
/// to, if the file's name shows which of the game's models that is.
/// @throws core::DecodeError if there is no clip; UsageError for several clips in one file
[[nodiscard]] std::vector<std::filesystem::path> clipOutputs(const Job& job, const core::Asset& asset);

enum class Existing { replace, keepEqual };

/// The clips of an asset as files.
class ClipFiles {
  public:
    /// @param asset outlives this
    /// @param form `bvh`, `anim`, or `vrma`, for which the asset is a humanoid
    /// @param standing for BVH; otherwise unused
    /// @param contentKey for files that store one
    /// @param diagnostics receives warnings for what such files can't store
    ClipFiles(const core::Asset& asset, std::string_view form, const std::optional<StandingPose>& standing,
              std::string contentKey, core::Diagnostics& diagnostics);

    /// Refuses to replace existing files unless they are unchanged outputs of this program or equal to the new ones.
    /// @throws UsageError
    void refuseEdited(const std::vector<std::filesystem::path>& paths, const LeftOvers& earlier,
                      const core::Limits& limits) const;

    /// Each appears whole or not at all.
    /// @param paths see clipOutputs()
    /// @param existing whether up-to-date files stay
    /// @throws OutputError; core::DecodeError of the kind `limit`
    [[nodiscard]] std::vector<ClipOutput> write(const std::vector<std::filesystem::path>& paths, Existing existing,
                                                const core::Limits& limits) const;

  private:
    /// A file and its stored hash, or else the hash of its bytes.
    struct Made {
        core::ByteVector bytes;
        std::string hash;
    };
    /// @param alone everything of a VRM animation except the clip, which is added
    [[nodiscard]] Made make(const core::Clip& clip, core::Asset& alone, const core::Limits& limits) const;
    [[nodiscard]] core::Asset withoutClips() const;

    const core::Asset& asset_;
    std::string contentKey_;
    std::optional<BvhWriter> bvh_;
    std::optional<MemoriaWriter> memoria_;  ///< without both, VRM animations are written
};

}  // namespace reanima::tool
