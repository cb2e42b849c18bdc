/// Adds meshes, skins and textures to characters of Metroid Prime.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/asset.h"
#include "formats/format.h"
#include "formats/metroid/model/body.h"

namespace reanima::metroid {

/// The mesh settings from options.
/// @throws core::DecodeError of the kind `option`
[[nodiscard]] BodySettings bodySettingsFrom(const OptionValues& options);

/// A file of a character, or the reason why it is missing.
struct DressFile {
    std::optional<File> file{};
    std::string name;  ///< its actual or expected name
};

/// Records, in the properties of a character, that no mesh follows its joints.
void leaveSkinOut(core::Asset& asset);

/// The file of a companion with this role, if there is one.
[[nodiscard]] DressFile dressFileAmong(const Companions& companions, Role role);

/// The files of a model.
struct Dress {
    DressFile model;
    DressFile skin;  ///< with an empty name if the name is unknown
    /// Files beside the model. Null: there are none.
    const Siblings* siblings = nullptr;
};

/// How to treat a mesh with a damaged skin.
enum class BadSkin {
    leavesMeshOut,
    leavesMeshStanding,  ///< the mesh stays in its bind pose
};

/// Adds the mesh, materials and textures of a character to its joints and clips. Warnings report missing and damaged
/// files.
/// @param settings `name` is the mesh's name
/// @throws core::DecodeError for a material set that the model lacks; of the kind `limit`
void putOn(core::Asset& asset, const Dress& dress, const BodySettings& settings, const Companions& companions,
           Context& context);

/// Like the function above, with a decoded model.
void putOn(core::Asset& asset, const Cmdl& model, const Dress& dress, BadSkin badSkin, const BodySettings& settings,
           const Companions& companions, Context& context);

}  // namespace reanima::metroid
