/// Assigns roles to the files that a user names, with one rule for every host.
///
/// | named as | what it is |
/// |---|---|
/// | source-skeleton | the skeleton of the input, of the same game |
/// | skeleton, of the format that the input's animations are made for, and no source-skeleton | the same |
/// | skeleton, any other: another game's or kind's, another program's, or with a source-skeleton | a rig that clips are
/// bound to | events, materials, textures, skin | what belongs to the input, in place of what lies beside it |
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

/// True if neither names nor the shape of a rig determine its joint roles for certain.
[[nodiscard]] bool isUnsure(const core::Rig& rig);

/// Uses the clips of a rig's own file, if its joints are those of the scene, to find roles and carriers of its joints.
void addOwnMotion(core::MovingScene moving, const core::Limits& limits, core::Rig& rig);

class CharacterFiles;

/// Reads the skeleton of a file that no format of this library claims, such as gltf::readRigFile().
/// @param beside finds other files that it refers to
/// @throws core::DecodeError if there is no skeleton in it that this host can read
using RigReader = std::function<core::Rig(core::File file, const core::Siblings& beside, const core::Limits& limits,
                                          core::Diagnostics& diagnostics)>;

/// Opens a file that a user names, with its siblings.
/// @param as its format; null: recognised
using OpenNamed = std::function<Input(const std::string& path, const Format* as)>;

/// Access to textures.
struct TextureFiles {
    std::shared_ptr<const archives::OpenArchives> files;
    core::Limits limits;
};

/// The files that settings name besides the inputs, read once for inputs of every format. Thread-safe.
class Cast {
  public:
    /// Names nothing.
    Cast() = default;
    /// @param open opens named files, except textures
    /// @param textures folders and archives with textures
    /// @param skeletonFormat of the file that `skeleton` names; null: recognised
    /// @throws core::DecodeError if a file can't be read or is of another kind
    Cast(const NamedPaths& paths, const OpenNamed& open, const TextureFiles& textures,
         const Format* skeletonFormat = nullptr);

    /// The files that the user named for inputs of a format; withFoundCompanions() adds those beside an input.
    [[nodiscard]] Companions companionsFor(const Format& format) const;
    /// The file with the skeleton that clips of a format are bound to; null: they keep their own.
    [[nodiscard]] const Input* rigFor(const Format& format) const;

    /// All named companions.
    [[nodiscard]] const Companions& companions() const { return companions_; }
    /// The rig that inputs of every game are bound to; nothing if it depends on the game, or none is named.
    [[nodiscard]] const std::optional<Input>& rig() const { return rig_; }
    /// The same, moved out for a host that reads and keeps it.
    [[nodiscard]] std::optional<Input> takeRig() { return std::exchange(rig_, std::nullopt); }

  private:
    [[nodiscard]] bool isOwnGame(const Format& format) const;

    Companions companions_;
    std::optional<Input> rig_;
    bool hasSourceSkeleton_ = false;
};

/// A rig, and the files of its folder that were used for it.
struct RigOfFile {
    core::Rig rig;
    std::vector<File> beside;    ///< companions of a game's skeleton
    bool leavesOwnMesh = false;  ///< it is a game's, whose meshes are not part of the rig
};

/// The skeleton of a file that clips are bound to: a game's own, in its rest pose, that of a BVH file, or any file that
/// `reader` reads. Errors and warnings name the file.
/// @param settings for reading a game's own file
/// @param files in which to find the pose of a game's skeleton
/// @throws core::DecodeError if it can't be read or has no skeleton
[[nodiscard]] RigOfFile readRigOf(Input input, const Settings& settings, const RigReader& reader, CharacterFiles& files,
                                  core::Diagnostics& diagnostics);

}  // namespace reanima
