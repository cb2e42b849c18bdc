/// Assigns roles to the files that a user names, by one rule for every host.
///
/// | named as | meaning |
/// |---|---|
/// | source-skeleton | the skeleton of the input; it is from the game of the input |
/// | skeleton, if its format fits the input's animations and there is no source-skeleton | the skeleton of the input |
/// | any other skeleton, and any skeleton if there is a source-skeleton | a rig that clips are bound to |
/// | events, materials, textures, skin | companions of the input, used instead of files beside it |
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../archives/open_archives.h"
#include "../core/rig.h"
#include "settings.h"

namespace reanima {

/// The rig. If names and shape leave the joints' roles uncertain, the clips of its own file (Rig::readMotion) are
/// added. The clips help to find the roles, and which joints carry others. Clips for other joints are left out.
[[nodiscard]] core::Rig withOwnMotion(core::Rig rig, const core::Limits& limits);

class CharacterFiles;

/// Reads the skeleton of a file that has no format in this library. Example: gltf::readRigFile().
/// @param beside finds the files that `file` refers to
/// @throws core::DecodeError if this host finds no skeleton in it
using RigReader = std::function<core::Rig(core::File file, const core::Siblings& beside, const core::Limits& limits,
                                          core::Diagnostics& diagnostics)>;

/// Opens a file that the user named, with its siblings.
/// @param as its format; null: recognised from the file
using OpenNamed = std::function<Input(const std::string& path, const Format* as)>;

/// Access to textures.
struct TextureFiles {
    std::shared_ptr<const archives::OpenArchives> files;
    core::Limits limits;
};

/// The files that settings name besides the inputs. They are read once, for inputs of all formats. Thread-safe.
class Cast {
  public:
    /// A cast without files.
    Cast() = default;
    /// @param open opens named files, except textures
    /// @param textures folders and archives with textures
    /// @param skeletonFormat format of the file named `skeleton`; null: recognised from the file
    /// @throws core::DecodeError if a file can't be read or is of another kind
    Cast(const NamedPaths& paths, const OpenNamed& open, const TextureFiles& textures,
         const Format* skeletonFormat = nullptr);

    /// The files that the user named for inputs of a format; withFoundCompanions() adds companions beside an input.
    [[nodiscard]] Companions companionsFor(const Format& format) const;
    /// The file with the skeleton that clips of a format are bound to. Null: clips keep their own skeleton.
    [[nodiscard]] const Input* rigFor(const Format& format) const;

    /// All named companions.
    [[nodiscard]] const Companions& companions() const { return companions_; }
    /// The rig that inputs of every game are bound to. Empty if it depends on the game, or if the user named no rig.
    [[nodiscard]] const std::optional<Input>& rig() const { return rig_; }
    /// Moves rig() out, for a host that stores it.
    [[nodiscard]] std::optional<Input> takeRig() { return std::exchange(rig_, std::nullopt); }

  private:
    [[nodiscard]] bool isOwnGame(const Format& format) const;

    Companions companions_;
    std::optional<Input> rig_;
    bool hasSourceSkeleton_ = false;
};

/// A rig, and the files in its folder that were used for it.
struct RigOfFile {
    core::Rig rig;
    std::vector<File> beside;    ///< companions of a game's skeleton
    bool leavesOwnMesh = false;  ///< the rig is a game's skeleton without its meshes
};

/// Reads the skeleton that clips are bound to. It is a game's skeleton in its rest pose, or the skeleton of a BVH file
/// or of a file that `reader` supports. Errors and warnings name the file.
/// @param settings used to read a game's own file
/// @param files used to find the pose of a game's skeleton
/// @throws core::DecodeError if it can't be read or has no skeleton
[[nodiscard]] RigOfFile readRigOf(Input input, const Settings& settings, const RigReader& reader, CharacterFiles& files,
                                  core::Diagnostics& diagnostics);

}  // namespace reanima
