/// What a model of Final Fantasy VII is made of besides its skeleton and animations: meshes, textures, weapons.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "battle_skeleton.h"
#include "field_resource.h"
#include "field_skeleton.h"
#include "formats/input.h"
#include "piece.h"
#include "texture.h"

namespace reanima::ff7 {

/// A texture of a model's list.
struct ModelTexture {
    std::string file;                          ///< as it was found, or as it is named
    std::string image;                         ///< what its image is called
    std::shared_ptr<const Texture> texture{};  ///< null if it is not there or can't be read
};

/// A mesh that hangs on a bone.
struct ModelPiece {
    std::string file;         ///< as it was found
    std::string shownName{};  ///< what messages call it
    std::string resource{};   ///< of the field: the `.rsd` that names it
    std::uint32_t bone = 0;   ///< its index in the skeleton; not of weapons and locations
    std::shared_ptr<const Piece> piece{};
    /// What its texture numbers mean: indices into ModelParts::textures; none where the number has no name.
    std::vector<std::optional<std::size_t>> textures{};
    bool hasList = true;  ///< false where nothing tells what its texture numbers mean
};

struct ModelParts {
    std::vector<ModelTexture> textures;
    std::vector<ModelPiece> body;
    std::vector<ModelPiece> weapons;
    std::vector<std::string> missing;  ///< names of files that are not there
    bool hasRefused = false;           ///< true if a piece, or the resource that names it, can't be read
    /// True if none of the files was found, of those that there should be.
    [[nodiscard]] bool isNothing() const { return body.empty() && weapons.empty(); }
};

/// Where a model's files are looked for.
struct Surroundings {
    const Siblings* siblings = nullptr;  ///< null, or empty: nowhere
    std::string folder{};                ///< put in front of their names in messages
};

/// Beside a companion.
[[nodiscard]] Surroundings surroundingsOf(const Input& input);
/// Beside the file that is read.
[[nodiscard]] Surroundings surroundingsOf(const File& file, const Context& context);
/// Says that a model has no meshes, unless nothing could be looked for, or was said about what is there.
void noteNoMeshes(const ModelParts& parts, const Surroundings& surroundings, Context& context);

/// Which weapons are wanted.
struct WeaponChoice {
    enum class Kind { first, all, none, number } kind = Kind::first;
    std::uint32_t number = 0;
};

/// What parts are read for.
enum class PartUse {
    meshes,
    files,  ///< which files there are: pieces and textures are null
};

/// The parts of a battle model, by the letters of its skeleton's name, or by numbers beside `NAME.d`. What can't be
/// found or read is left out with a warning; nothing is said where there is nothing at all.
/// @throws core::DecodeError of the kind `option` if a weapon is asked for by number that is not there
[[nodiscard]] ModelParts battleParts(const BattleSkeleton& skeleton, std::string_view name, const WeaponChoice& weapon,
                                     const Surroundings& surroundings, Context& context, PartUse use = PartUse::meshes);

/// The parts of a field model, by the resources of its bones, likewise.
[[nodiscard]] ModelParts fieldParts(const FieldSkeleton& skeleton, const Surroundings& surroundings, Context& context,
                                    PartUse use = PartUse::meshes);

/// The mesh and the textures that a resource names.
/// @throws core::DecodeError if its mesh is not there or can't be read
[[nodiscard]] ModelParts resourceParts(const FieldResource& resource, std::string_view name,
                                       const Surroundings& surroundings, Context& context);

}  // namespace reanima::ff7
