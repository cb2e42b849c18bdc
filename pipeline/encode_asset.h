/// Into the game: motion that another program changed, written into the game's file that it came from, and motion of
/// other figures, bound to the game's own.
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

/// What becomes of clips of a scene that are none of the original's, and are given no place there.
enum class UnknownClips {
    refused,
    left,  ///< they are in FoundEdits::unknown
};

struct EncodeSettings {
    core::EditSearch search{};
    RestPose rest{};          ///< in which the scene's skeleton rests, of a game that stores none
    bool allChanged = false;  ///< write even if most joints of all clips differ
    bool allowLoss = false;   ///< write even if something has no place in the format
    UnknownClips unknown = UnknownClips::refused;
};

struct EncodedAsset {
    core::Asset original;                 ///< what the file is without the changes
    core::FoundEdits found;               ///< what is different
    std::vector<std::string> losses;      ///< what the format can't hold
    core::ByteVector bytes;               ///< the original's own where nothing differs
    std::optional<BindReport> binding{};  ///< of another figure's motion: how that came onto the skeleton
};

/// A game's file that scenes are compared with and written into. It is decoded once; what is doubtful in it is no news,
/// and is told nobody.
class OriginalFile {
  public:
    /// @param given companions, besides those that lie beside it
    /// @throws core::DecodeError that names it if its format has no Traits::isWrittenFromPoses, or a companion does not
    /// fit
    OriginalFile(const Input& input, const Companions& given, const Context& context);
    OriginalFile(const OriginalFile&) = delete;
    OriginalFile& operator=(const OriginalFile&) = delete;

    /// Without its mesh, which does not move.
    /// @throws core::DecodeError if it can't be read
    [[nodiscard]] const core::Asset& motion();
    /// With its mesh.
    [[nodiscard]] core::Asset whole() { return open_->load(said_); }
    /// One of these in a rest pose.
    /// @throws core::DecodeError if nothing moves in it, or it is of a model that nobody chose
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
/// @param edited made from the file, by this library or by programs that had it from there
/// @throws core::DecodeError that names the original if it can't be read or can't be written; one that names the scene
/// if it shows another skeleton, or (unless the settings allow it) other motion altogether or what the format can't
/// hold
[[nodiscard]] EncodedAsset encodeAsset(const core::MovingScene& edited, const std::string& editedName,
                                       OriginalFile& original, const EncodeSettings& settings, Context& context);

/// The first half of it: finds what is different, and writes nothing. The bytes are the original's own, and clips that
/// are none of the original's are left.
/// @throws core::DecodeError as encodeAsset() does for what can't be read or shows another skeleton
[[nodiscard]] EncodedAsset compareAsset(const core::MovingScene& edited, const std::string& editedName,
                                        OriginalFile& original, const EncodeSettings& settings, Context& context);

/// What is thrown for clips of a scene that are none of the original's.
/// @param names of theirs
/// @param compared with the original
[[nodiscard]] core::DecodeError unknownClipsError(const std::vector<std::string>& names, const EncodedAsset& compared);

/// A file of a game that is to be made.
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

/// Makes a game's file of clips of a scene: no other file but the skeleton is needed.
/// @param edited made from the skeleton, or from a file of it
/// @param given the skeleton, and what belongs to it
/// @param settings of which `search.at` and `search.append` say nothing
/// @throws core::DecodeError that names the skeleton if none is given or it can't be read; else as encodeAsset()
[[nodiscard]] EncodedAsset encodeNew(const core::MovingScene& edited, const std::string& editedName,
                                     const NewFile& file, const Companions& given, const EncodeSettings& settings,
                                     Context& context);

/// Motion of another figure: a file that asSource() knows, or that of a game.
struct OtherMotion {
    Input input;
    Companions companions{};
    /// How it is read and bound. `rest` is the pose in which the game's skeleton stands, of which `standard` is the
    /// T-pose where the format stores none; there is no `rig`.
    Settings settings{};
};

/// True if a scene lacks most of the joints of a game's file by their names, or some, and others hang on other ones
/// there: what it shows is to be bound.
[[nodiscard]] bool isOfOtherFigure(const core::MovingScene& scene, OriginalFile& original);

/// Binds motion to the skeleton of a game's file, at the file's rate, and puts it there as EncodeSettings::search says:
/// in the place of a clip, or after the last one. What the skeleton's joints are for, the file's own motion and mesh
/// tell.
/// @throws core::DecodeError as encodeAsset() and applySettings() do; one about the motion if its place is not said
[[nodiscard]] EncodedAsset encodeMotion(const OtherMotion& motion, OriginalFile& original,
                                        const EncodeSettings& settings, Context& context);

}  // namespace reanima
