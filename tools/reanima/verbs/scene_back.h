/// One INPUT of `encode --into`: which of the game's files each of its clips belongs to, and what becomes of it there.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/scene_motion.h"
#include "json/json.h"
#include "tools/reanima/jobs/archive_output.h"
#include "tools/reanima/jobs/clip_sources.h"
#include "tools/reanima/verbs/encode_into.h"

namespace reanima::tool {

/// What --into names: a file of the game, or an archive of such.
struct Original {
    std::string path;                        ///< of the file or the archive
    std::string place{};                     ///< the file or entry that clips go into; empty: any entry of the archive
    std::optional<ArchiveOutput> archive{};  ///< none: a file is written
    std::string output{};                    ///< empty: nothing is written
    core::ByteVector bytes{};                ///< of a file: what is written
    std::string sum{};                       ///< of a file: `1 clip changed, 3 as before`
};

/// What all INPUTs of a run have in common.
struct RunInto {
    const EncodeMotionOptions& options;
    const Console& console;
    Companions given;
    std::deque<Original> originals{};
    std::uint64_t held = 0;  ///< bytes of the files that are written
    Json report{};
    std::vector<std::string> notWritten{};  ///< of clips that were changed and belong to files that are not written

    [[nodiscard]] core::Limits limits() const { return options.input.limits.holding(held); }
};

/// Puts the clips of an INPUT into the originals: each into the file that its extras name, else into the first that has
/// it by its name or motion. Clips of other files are compared with those where they are found, and stay there.
class SceneBack {
  public:
    SceneBack(RunInto& run, std::string edited) : run_(run), options_(run.options), edited_(std::move(edited)) {}

    /// @return false for warnings that count as errors
    /// @throws core::DecodeError, UsageError if something can't be written, or a clip belongs to no file
    bool encode();

  private:
    using Names = std::set<std::string>;

    /// A file of the game that has clips of the scene.
    struct Place {
        std::string path;
        Input input;
        Original* original = nullptr;  ///< null: it is not written
        Names clips{};                 ///< those that the scene says it has from there
        bool isTold = false;           ///< the scene says that it has clips from there
    };
    struct Result {
        std::string path;
        Original* original = nullptr;
        EncodedAsset encoded;
    };

    void read();
    void findPlaces();
    Place& placeAt(const std::string& path, Original& original);
    void findPlacesInArchives();
    [[noreturn]] void refuseArchive(const Original& archive) const;
    void sortClips();
    void encodeInto(const Place& place);
    [[nodiscard]] EncodedAsset encodedFor(const Place& place, OriginalFile& file, Context& context);
    void lookElsewhere();
    void lookInto(const std::string& path, const Names& clips);
    [[nodiscard]] std::optional<std::string> whereIs(const std::string& source) const;
    [[nodiscard]] std::vector<std::string> linkedPaths() const;
    void compareWith(const Place& place);
    void leaveUncompared(const Names& clips, const std::string& source, const std::string& problem);
    void refuseUnknown() const;
    [[nodiscard]] std::string asOriginal(const std::string& path) const;
    [[nodiscard]] core::MovingScene clipsFor(const Place& place) const;
    [[nodiscard]] core::EditSearch searchFor(const Place& place, const core::MovingScene& scene) const;
    [[nodiscard]] Companions companionsOf(const Input& input) const;
    void say();

    RunInto& run_;
    const EncodeMotionOptions& options_;
    std::string edited_;
    core::Diagnostics diagnostics_;
    std::optional<core::MovingScene> scene_;     // none: another figure's motion
    std::map<std::string, ClipSource> sources_;  // by the names of clips
    std::deque<Place> places_;
    Names open_;                            // clips that may be any file's
    std::map<std::string, Names> foreign_;  // clips by the names of files that are no originals
    Names unknown_;                         // clips that some file was asked for, and has not
    std::vector<Result> results_;
    std::map<std::string, std::size_t> unchanged_;  // how many clips there are of files that are not written
};

}  // namespace reanima::tool
