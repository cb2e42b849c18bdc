/// Loads the characters of a set with all their animations, from the files that the set names by id.
#pragma once

#include <string>
#include <vector>

#include "ancs.h"
#include "core/asset.h"
#include "formats/format.h"
#include "formats/metroid/animation/clips.h"
#include "formats/metroid/model/body.h"

namespace reanima::metroid {

/// An ANIM of a character.
struct CharacterClip {
    std::uint32_t anim = 0;
    std::uint32_t evnt = kNoEvents;
    std::string name;         ///< name of the clip; the id in hexadecimal if the set has no name
    bool isAdditive = false;  ///< the values are changes to another animation
};

/// The clips of a character.
struct CharacterClips {
    /// Each ANIM once: first those of the character's own list, then transitions between them, then kept additive ones.
    std::vector<CharacterClip> clips;
    std::vector<std::string> leftOut;  ///< names of additive animations
};

/// How to treat additive animations.
enum class Additive { leftOut, kept };

[[nodiscard]] CharacterClips clipsOf(const Ancs& ancs, const AncsCharacter& character, Additive additive);

/// Ids of the characters, in the set's order: their names, changed to be safe and unique.
[[nodiscard]] std::vector<std::string> characterIds(const Ancs& ancs);

/// Possible names of a file with this id: `1234ABCD.CINF`, and in lower case.
[[nodiscard]] std::vector<std::string> namesOfResource(std::uint32_t id, std::string_view extension);

/// The characters as models of a file. If their skeletons are found, the number of joints is known.
[[nodiscard]] std::vector<ModelSummary> summariesOf(const Ancs& ancs, const Siblings* siblings,
                                                    Additive additive = Additive::leftOut);

/// Adds the mesh of a character, from the files that the set names. Warnings report missing and damaged files.
/// @throws core::DecodeError for a material set that the model lacks; of the kind `limit`
void dressCharacter(core::Asset& asset, const Ancs& ancs, const std::string& id, BodySettings settings,
                    const Companions& companions, Context& context);

/// A character with all its clips. Warnings report missing and unreadable clips; the other clips keep their indices.
/// @param given the skeleton, instead of the one that the set names; may be null
/// @param settings settings of every clip. If ClipSettings::additive is set, additive animations also become clips, and
/// only they are marked as additive
/// @throws core::DecodeError if there is no skeleton or no clip; of the kind `limit`
[[nodiscard]] core::Asset loadCharacter(const Ancs& ancs, const std::string& id, const Cinf* given,
                                        const ClipSettings& settings, Context& context);

}  // namespace reanima::metroid
