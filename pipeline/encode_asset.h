/// Writes motion into the game: clips edited in another program go back into their file, and motion of other characters
/// is bound to the game's own.
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
    left,  ///< they are in FoundEdits::unknown
};

struct EncodeSettings {
    core::EditSearch search{};
    RestPose rest{};          ///< rest pose of the scene's skeleton, for a game that stores none
    bool allChanged = false;  ///< write even if most joints of all clips differ
    bool allowLoss = false;   ///< write even if something has no place in the format
    UnknownClips unknown = UnknownClips::refused;
};

struct EncodedAsset {
    core::Asset original;                 ///< the file without the changes
    core::FoundEdits found;               ///< the differences
    std::vector<std::string> losses;      ///< what the format can't store
    core::ByteVector bytes;               ///< the original's own if nothing differs
    std::optional<BindReport> binding{};  ///< for another character's motion: the report of its binding
};

/// A game's file that scenes are compared with and written into. It is decoded once; warnings about it are discarded,
/// since they are not new.
class OriginalFile {
  public:
    /// @param given companions, in addition to those beside it
    /// @throws core::DecodeError that names it if its format has no Traits::isWrittenFromPoses, or if a companion does
    /// not fit
    OriginalFile(const Input& input, const Companions& given, const Context& context);
    OriginalFile(const OriginalFile&) = delete;
    OriginalFile& operator=(const OriginalFile&) = delete;

    /// Without its mesh, which does not move.
    /// @throws core::DecodeError if it can't be read
    [[nodiscard]] const core::Asset& motion();
    /// With its mesh.
    [[nodiscard]] core::Asset whole() { return open_->load(said_); }
    /// One of the above in a rest pose.
    /// @throws core::DecodeError if nothing moves in it, or if no model was chosen
    [[nodiscard]] core::Asset standing(core::Asset asset, const RestPose& rest);

    [[nodiscard]] const Format& format() const { return *input_.format; }
    [[nodiscard]] const Input& input() const { return input_; }
    [[nodiscard]] const Companions& companions() const { return companions_; }
    [[nodiscard]] OpenFile& open() { return *open_; }

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

/// Finds what a scene changed of the clips of a game's file, and writes the file with these changes. Everything else
/// keeps its bytes.
/// @param edited made from the file by this library, possibly edited in other programs
/// @throws core::DecodeError that names the original if it can't be read or can't be written; one that names the scene
/// if it has another skeleton, or (unless the settings allow it) entirely different motion or parts that the format
/// can't store
[[nodiscard]] EncodedAsset encodeAsset(const core::MovingScene& edited, const std::string& editedName,
                                       OriginalFile& original, const EncodeSettings& settings, Context& context);

/// Only finds the differences and writes nothing. The bytes are the original's own, and clips that are not in the
/// original are ignored.
/// @throws core::DecodeError as encodeAsset() does for what can't be read or shows another skeleton
[[nodiscard]] EncodedAsset compareAsset(const core::MovingScene& edited, const std::string& editedName,
                                        OriginalFile& original, const EncodeSettings& settings, Context& context);

/// The error for clips of a scene that are not in the original.
/// @param names of these clips
/// @param compared with the original
[[nodiscard]] core::DecodeError unknownClipsError(const std::vector<std::string>& names, const EncodedAsset& compared);

/// A new file of a game.
struct NewFile {
    const Format* format = nullptr;       ///< with Format::still
    std::string shownName{};              ///< for messages
    std::vector<std::uint32_t> places{};  ///< Clip::index of each clip of EncodeSettings::search, which are named all
    std::optional<double> rate{};         ///< frames per second, for formats that store it; none: that of the keys
};

/// The clips of a scene that move joints of a game's skeleton, by their names.
/// @throws core::DecodeError if there is no skeleton among what is given, or it can't be read
[[nodiscard]] std::vector<std::string> clipsFor(const core::MovingScene& scene, const Companions& given,
                                                Context& context);

/// Makes a game's file from clips of a scene; only the skeleton is needed.
/// @param edited made from the skeleton, or from a file of it
/// @param given the skeleton and its companions
/// @param settings with unused `search.at` and `search.append`
/// @throws core::DecodeError that names the skeleton if none is given or it can't be read; else as encodeAsset()
[[nodiscard]] EncodedAsset encodeNew(const core::MovingScene& edited, const std::string& editedName,
                                     const NewFile& file, const Companions& given, const EncodeSettings& settings,
                                     Context& context);

/// Motion of another character: a file that asSource() supports, or a game's.
struct OtherMotion {
    Input input;
    Companions companions{};
    /// How it is read and bound. `rest` is the pose of the game's skeleton; `standard` means the T-pose if the format
    /// stores none. `rig` is unused.
    Settings settings{};
};

/// True if a scene must be bound to a game's skeleton: most joint names are missing, or some are missing and others
/// have different parents.
[[nodiscard]] bool isOfOtherFigure(const core::MovingScene& scene, OriginalFile& original);

/// Binds motion to the skeleton of a game's file, at the file's rate, and inserts it as in EncodeSettings::search: in
/// place of a clip, or after the last one. The roles of the skeleton's joints come from the file's own motion and mesh.
/// @throws core::DecodeError as encodeAsset() and applySettings() do; one about the motion if its place is not given
[[nodiscard]] EncodedAsset encodeMotion(const OtherMotion& motion, OriginalFile& original,
                                        const EncodeSettings& settings, Context& context);

}  // namespace reanima
