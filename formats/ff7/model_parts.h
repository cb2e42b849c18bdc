/// The parts of a Final Fantasy VII model besides its skeleton and animations: meshes, textures, weapons.
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
    std::string file;                          ///< name as found, or as stated if it is missing
    std::string image;                         ///< name of its image
    std::shared_ptr<const Texture> texture{};  ///< null if it is missing or can't be read
};

/// A mesh attached to a bone.
struct ModelPiece {
    std::string file;         ///< name as found
    std::string shownName{};  ///< the file's name in messages
    std::string resource{};   ///< for field models: the `.rsd` that names it
    std::uint32_t bone = 0;   ///< its bone's index in the skeleton; unused for weapons and locations
    std::shared_ptr<const Piece> piece{};
    /// For each texture number of the piece, the index in ModelParts::textures; empty if no texture has this number.
    std::vector<std::optional<std::size_t>> textures{};
    bool hasList = true;  ///< false if the meaning of its texture numbers is unknown
};

struct ModelParts {
    std::vector<ModelTexture> textures;
    std::vector<ModelPiece> body;
    std::vector<ModelPiece> weapons;
    std::vector<std::string> missing;  ///< names of missing files
    bool hasRefused = false;           ///< true if a piece, or the resource that names it, can't be read
    /// True if none of the expected files was found.
    [[nodiscard]] bool isNothing() const { return body.empty() && weapons.empty(); }
};

/// Where to search for a model's files.
struct Surroundings {
    const Siblings* siblings = nullptr;  ///< if null or empty, no place is searched
    std::string folder{};                ///< prefix of the files' names in messages
};

/// Where to search for files that a companion needs.
[[nodiscard]] Surroundings surroundingsOf(const Input& input);
/// Where to search for files that the file being read needs.
[[nodiscard]] Surroundings surroundingsOf(const File& file, const Context& context);
/// Notes that a model has no meshes. Does nothing if no place could be searched, or if another message reported it.
void noteNoMeshes(const ModelParts& parts, const Surroundings& surroundings, Context& context);

/// The requested weapons.
struct WeaponChoice {
    enum class Kind { first, all, none, number } kind = Kind::first;
    std::uint32_t number = 0;
};

/// The parts of a battle model, found by the letters of its skeleton's name, or by their numbers beside `NAME.d`.
/// Missing and unreadable files are left out with a warning. If there are no files at all, there is no warning.
/// @throws core::DecodeError of the kind `option` if a weapon requested by number does not exist
[[nodiscard]] ModelParts battleParts(const BattleSkeleton& skeleton, std::string_view name, const WeaponChoice& weapon,
                                     const Surroundings& surroundings, Context& context);

/// The parts of a field model, found by the resources of its bones. Warnings are as for battleParts().
[[nodiscard]] ModelParts fieldParts(const FieldSkeleton& skeleton, const Surroundings& surroundings, Context& context);

/// The mesh and the textures that a resource names.
/// @throws core::DecodeError if its mesh is missing or can't be read
[[nodiscard]] ModelParts resourceParts(const FieldResource& resource, std::string_view name,
                                       const Surroundings& surroundings, Context& context);

}  // namespace reanima::ff7
