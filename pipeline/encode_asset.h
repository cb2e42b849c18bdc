/// Writes motion into the game. Clips edited in another program go back into their file. Motion of other characters is
/// bound to the game's skeleton.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../binding/bind_plan.h"
#include "../core/asset.h"
#include "../core/find_edits.h"
#include "../core/scene_motion.h"
#include "../formats/format.h"
#include "../formats/input.h"
#include "../formats/open_file.h"
#include "settings.h"

namespace reanima {

/// How to treat clips of a scene that are not in the original and have no assigned place.
enum class UnknownClips {
    refused,
    left,  ///< they are listed in FoundEdits::unknown
};

struct EncodeSettings {
    core::EditSearch search{};
    RestPose rest{};          ///< rest pose of the scene's skeleton, for a game without a stored one
    bool allChanged = false;  ///< write even if most joints of all clips differ
    bool allowLoss = false;   ///< write even if the format can't store a part
    UnknownClips unknown = UnknownClips::refused;
};

struct EncodedAsset {
    core::Asset original;                 ///< the file without the changes
    core::FoundEdits found;               ///< the differences
    std::vector<std::string> losses;      ///< parts that the format can't store
    core::ByteVector bytes;               ///< the original bytes if nothing differs
    std::optional<BindReport> binding{};  ///< for motion of another character: the report of its binding
};

/// A game's file that scenes are compared with and written into. It is decoded once. Warnings about the file are
/// discarded, since the edits did not cause them. Only damage() keeps some.
class OriginalFile {
  public:
    /// @param given companions, in addition to files beside the input
    /// @throws core::DecodeError that names the file, if its format has no Traits::isWrittenFromPoses or if a companion
    /// does not fit
    OriginalFile(const Input& input, const Companions& given, const Context& context);
    OriginalFile(const OriginalFile&) = delete;
    OriginalFile& operator=(const OriginalFile&) = delete;

    /// The file without its mesh.
    /// @throws core::DecodeError if it can't be read
    [[nodiscard]] const core::Asset& motion();
    /// The file with its mesh.
    [[nodiscard]] core::Asset whole() { return open_->load(said_); }
    /// Sets the rest pose of motion() or whole().
    /// @throws core::DecodeError if the file contains no motion, or if no model was chosen
    [[nodiscard]] core::Asset standing(core::Asset asset, const RestPose& rest);

    [[nodiscard]] const Format& format() const { return *input_.format; }
    [[nodiscard]] const Input& input() const { return input_; }
    [[nodiscard]] const Companions& companions() const { return companions_; }
    [[nodiscard]] OpenFile& open() { return *open_; }
    /// Warnings about parts of the file that are missing or can't be read. Writing does not restore those parts.
    [[nodiscard]] std::vector<core::Warning> damage() const;

  private:
    Input input_;
    OptionValues options_;
    core::Limits limits_;
    core::Diagnostics said_;
    Context context_;
    Companions companions_;
    std::optional<OpenFile> open_;
    std::optional<core::Asset> motion_;
};

/// Finds the differences between a scene and the clips of a game's file, and writes the file with them. All other bytes
/// stay unchanged.
/// @param edited a scene that this library made from the file, possibly edited in another program
/// @throws core::DecodeError that names the original if it can't be read or written; one that names the scene if its
/// skeleton differs. Unless the settings allow it, also for entirely different motion or for parts that the format
/// can't store
[[nodiscard]] EncodedAsset encodeAsset(const core::MovingScene& edited, const std::string& editedName,
                                       OriginalFile& original, const EncodeSettings& settings, Context& context);

/// Finds the differences without writing. The bytes are the original's, and clips that are not in the original are
/// ignored.
/// @throws core::DecodeError as encodeAsset() does for unreadable files and other skeletons
[[nodiscard]] EncodedAsset compareAsset(const core::MovingScene& edited, const std::string& editedName,
                                        OriginalFile& original, const EncodeSettings& settings, Context& context);

/// @throws core::DecodeError for clips with the original's motion at another speed, or earlier or later
void refuseRetimed(const core::FoundEdits& found);

/// The error for clips in which most joints move differently than in the original.
[[nodiscard]] core::DecodeError otherMotionError(const std::vector<core::ClipEdit>& changed,
                                                 const std::string& original);

/// The error for clips of a scene that are not in the original.
/// @param names the names of these clips
/// @param compared the result of the comparison with the original
[[nodiscard]] core::DecodeError unknownClipsError(const std::vector<std::string>& names, const EncodedAsset& compared);

/// A new file of a game.
struct NewFile {
    const Format* format = nullptr;       ///< a format with Format::still
    std::string shownName{};              ///< for messages
    std::vector<std::uint32_t> places{};  ///< Clip::index of each clip; EncodeSettings::search must name all clips
    std::optional<double> rate{};         ///< frames per second, for formats that store it; none: the rate of the keys
};

/// The names of the clips in a scene that move joints of a game's skeleton.
/// @throws core::DecodeError if `given` contains no skeleton, or if the skeleton can't be read
[[nodiscard]] std::vector<std::string> clipsFor(const core::MovingScene& scene, const Companions& given,
                                                Context& context);

/// Makes a game's file from clips of a scene. Needs only the skeleton.
/// @param edited a scene that was made from the skeleton, or from a file with this skeleton
/// @param given the skeleton and its companions
/// @param settings `search.at` and `search.append` are unused
/// @throws core::DecodeError that names the skeleton if it is missing or can't be read; otherwise as encodeAsset()
[[nodiscard]] EncodedAsset encodeNew(const core::MovingScene& edited, const std::string& editedName,
                                     const NewFile& file, const Companions& given, const EncodeSettings& settings,
                                     Context& context);

/// Motion of another character: a game's file, or a file that asSource() supports.
struct OtherMotion {
    Input input;
    Companions companions{};
    /// Settings for reading and binding. `rest` is the pose of the game's skeleton; `standard` means the T-pose if the
    /// format stores no rest pose. `rig` is unused.
    Settings settings{};
};

/// True if a scene must be bound to a game's skeleton: most joint names are missing, or some are missing and others
/// have different parents.
[[nodiscard]] bool isOfOtherFigure(const core::MovingScene& scene, OriginalFile& original);

/// Binds motion to the skeleton of a game's file, at the file's rate. EncodeSettings::search states whether it replaces
/// a clip or follows the last one. The roles of the skeleton's joints come from the file's motion and mesh.
/// @throws core::DecodeError as encodeAsset() and applySettings() do; one about the motion if no place is stated
[[nodiscard]] EncodedAsset encodeMotion(const OtherMotion& motion, OriginalFile& original,
                                        const EncodeSettings& settings, Context& context);

}  // namespace reanima
