/// Loads the characters of a set with all their animations, from the files that the set names by id.
#pragma once

#include <string>
#include <vector>

#include "ancs.h"
#include "body.h"
#include "clips.h"
#include "core/asset.h"
#include "formats/format.h"

namespace reanima::metroid {

/// Limit for the animations of one character, since files in an archive may share bytes.
inline constexpr std::uint64_t kMostBytesOfAnimations = 512U << 20U;

/// An ANIM of a character.
struct CharacterClip {
    std::uint32_t anim = 0;
    std::uint32_t evnt = kNoEvents;
    std::string name;         ///< of the clip; the id in hexadecimal if the set has no name
    bool isAdditive = false;  ///< a change to another animation
};

/// The clips of a character.
struct CharacterClips {
    /// Each ANIM once: from its own list, then from the transitions between those, then additive ones that are kept.
    std::vector<CharacterClip> clips;
    std::vector<std::string> leftOut;  ///< names of additive animations
};

/// How to treat additive animations.
enum class Additive { leftOut, kept };

[[nodiscard]] CharacterClips clipsOf(const Ancs& ancs, const AncsCharacter& character, Additive additive);

/// Ids of the characters, in the set's order: their names, made safe and unique.
[[nodiscard]] std::vector<std::string> characterIds(const Ancs& ancs);

/// Possible file names for that id: `1234ABCD.CINF` and in lower case.
[[nodiscard]] std::vector<std::string> namesOfResource(std::uint32_t id, std::string_view extension);

/// The characters as models of a file. Skeletons that are found give the number of joints.
[[nodiscard]] std::vector<ModelSummary> summariesOf(const Ancs& ancs, const Siblings* siblings,
                                                    Additive additive = Additive::leftOut);

/// The further files of a character: its skeleton, animations and their events; without a character's id, those of all.
/// Each with its possible names.
[[nodiscard]] std::vector<std::vector<std::string>> partsOf(const Ancs& ancs, const std::string& id,
                                                            Additive additive = Additive::leftOut);

/// Adds the mesh of a character, from the files that the set names; missing and damaged ones are left out with
/// warnings.
/// @throws core::DecodeError for a material set that the model lacks; of the kind `limit`
void dressCharacter(core::Asset& asset, const Ancs& ancs, const std::string& id, BodySettings settings,
                    const Companions& companions, Context& context);
/// Reads the same files as dressCharacter().
void readDressOf(const Ancs& ancs, const std::string& id, const BodySettings& settings, const Companions& companions,
                 Context& context);

/// A character with all its clips. Those that are missing or can't be read are reported by warnings and keep their
/// index.
/// @param given the skeleton, instead of the one that the set names; may be null
/// @param settings of every clip; with ClipSettings::additive, additive animations become clips, too, and only they are
/// marked as such
/// @throws core::DecodeError if there is no skeleton or no clip; of the kind `limit`
[[nodiscard]] core::Asset loadCharacter(const Ancs& ancs, const std::string& id, const Cinf* given,
                                        const ClipSettings& settings, Context& context);

}  // namespace reanima::metroid
