/// An INPUT of `encode --into`: finds the game's file for each of its clips and writes them there.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
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

/// The original named by --into: a file of the game, or an archive.
struct Original {
    std::string path;                        ///< path of the file or the archive
    std::string place{};                     ///< the file or entry for the clips; empty: any entry of the archive
    std::optional<ArchiveOutput> archive{};  ///< unset: the original is a file
    std::string output{};                    ///< empty: nothing is written
    core::ByteVector bytes{};                ///< for a file: its new content
    std::string sum{};                       ///< for a file: a summary, `1 clip changed, 3 unchanged`
    std::string skeleton{};                  ///< path of the last file's skeleton
    std::optional<std::string> changed{};    ///< set if clips were changed; for an archive, the last changed entry
};

/// Shared state of all INPUTs of a run.
struct RunInto {
    const EncodeMotionOptions& options;
    const Console& console;
    Companions given;
    std::deque<Original> originals{};
    std::uint64_t held = 0;  ///< bytes of the files to write
    Json report{};
    std::vector<std::string> notWritten{};  ///< names of changed clips whose files are not written

    [[nodiscard]] core::Limits limits() const { return options.input.limits.holding(held); }
};

/// Puts the clips of an INPUT into the originals. A clip goes into the file named by its extras. Without extras, it
/// goes into the first file with a clip of that name or motion. Clips of other files are only compared, and only if
/// these files are found.
class SceneBack {
  public:
    SceneBack(RunInto& run, std::string edited) : run_(run), options_(run.options), edited_(std::move(edited)) {}

    /// @return false if a warning is treated as an error
    /// @throws core::DecodeError, UsageError if something can't be written, or if a clip belongs to no file
    bool encode();

  private:
    using Names = std::set<std::string>;

    /// A game's file, with clips of the scene for it.
    struct Place {
        std::string path;
        Input input;
        Original* original = nullptr;  ///< null if the file is not written
        Names clips{};                 ///< clips that the scene assigns to this file
        bool isTold = false;           ///< the scene assigns clips to this file
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
    void refuseSameNames() const;
    [[noreturn]] void refuseArchive(const Original& archive) const;
    void sortClips();
    void encodeInto(const Place& place);
    [[nodiscard]] EncodedAsset encodedFor(const Place& place, OriginalFile& file, Context& context);
    [[nodiscard]] EncodedAsset inItsRest(const Input& input, const std::function<EncodedAsset(const RestPose&)>& tried);
    void lookElsewhere();
    [[nodiscard]] bool isPlace(const std::string& path) const;
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
    [[nodiscard]] RestPose restFor(const Input& input) const;
    [[nodiscard]] std::vector<RestPose> restsOfClips() const;
    void say();

    RunInto& run_;
    const EncodeMotionOptions& options_;
    std::string edited_;
    core::Diagnostics diagnostics_;
    std::optional<core::MovingScene> scene_;           // empty: another character's motion
    std::map<std::string, core::ClipSource> sources_;  // by clip name
    std::deque<Place> places_;
    Names open_;                            // clips that may belong to any file
    std::map<std::string, Names> foreign_;  // clips by the names of files that are not originals
    Names unknown_;                         // clips that were not found in their file
    std::vector<Result> results_;
    std::map<std::string, std::size_t> unchanged_;  // number of clips per unwritten file
};

}  // namespace reanima::tool
