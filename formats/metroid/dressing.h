/// The files that a character of Metroid Prime is dressed in, and how they are put on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "body.h"
#include "core/asset.h"
#include "formats/format.h"

namespace reanima::metroid {

/// What the options say of a character's looks.
/// @throws core::DecodeError of the kind `option`
[[nodiscard]] BodySettings bodySettingsFrom(const OptionValues& options);

/// A file of a character, or why there is none.
struct DressFile {
    std::optional<File> file{};
    std::string name;  ///< what it is called, or would be
};

/// Says of a character that its mesh is left out, or follows no joints: nothing is skinned then.
void leaveSkinOut(core::Asset& asset);

/// The file of a companion, if there is one.
[[nodiscard]] DressFile dressFileAmong(const Companions& companions, Role role);

/// The files of a model.
struct Dress {
    DressFile model;
    DressFile skin;  ///< without a name if nothing tells which it is
    /// Beside the model; null: nothing.
    const Siblings* siblings = nullptr;
};

/// What becomes of a mesh whose skin is damaged.
enum class BadSkin {
    leavesMeshOut,
    leavesMeshStanding,  ///< in its bind pose
};

/// Adds the mesh, materials and textures of a character to its joints and clips. What is missing or damaged is left out
/// with warnings.
/// @param settings `name` is that of the mesh
/// @throws core::DecodeError for a material set that the model lacks; of the kind `limit`
void putOn(core::Asset& asset, const Dress& dress, const BodySettings& settings, const Companions& companions,
           Context& context);

/// The same for a model that is read already.
void putOn(core::Asset& asset, const Cmdl& model, const Dress& dress, BadSkin badSkin, const BodySettings& settings,
           const Companions& companions, Context& context);

/// Reads the textures that a model shows, as putting it on will.
void readTextures(core::Bytes model, const Siblings* siblings, const BodySettings& settings,
                  const Companions& companions, Context& context);

}  // namespace reanima::metroid
