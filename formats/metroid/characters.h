/// The characters of a set with all their animations, on the files that the set names by their ids.
#pragma once

#include <string>
#include <vector>

#include "ancs.h"
#include "body.h"
#include "clips.h"
#include "core/asset.h"
#include "formats/format.h"

namespace reanima::metroid {

/// Of the animations of one character, whose files may share their bytes in an archive.
inline constexpr std::uint64_t kMostBytesOfAnimations = 512U << 20U;

/// An ANIM that a character plays.
struct CharacterClip {
    std::uint32_t anim = 0;
    std::uint32_t evnt = kNoEvents;
    std::string name;         ///< of the clip; the id in hexadecimal digits where the set has none
    bool isAdditive = false;  ///< a change to another animation
};

/// What a character plays.
struct CharacterClips {
    /// Each ANIM once: of its own list, then of the transitions between those, then changes to others that are kept.
    std::vector<CharacterClip> clips;
    std::vector<std::string> leftOut;  ///< names of changes to others
};

/// What becomes of animations that are changes to others.
enum class Additive { leftOut, kept };

[[nodiscard]] CharacterClips clipsOf(const Ancs& ancs, const AncsCharacter& character, Additive additive);

/// Ids of the characters, in the set's order: their names, made safe and unique.
[[nodiscard]] std::vector<std::string> characterIds(const Ancs& ancs);

/// The names under which a file of that id may lie: `1234ABCD.CINF` and in lower case.
[[nodiscard]] std::vector<std::string> namesOfResource(std::uint32_t id, std::string_view extension);

/// The characters as models of a file. Skeletons that are found give the number of joints.
[[nodiscard]] std::vector<ModelSummary> summariesOf(const Ancs& ancs, const Siblings* siblings,
                                                    Additive additive = Additive::leftOut);

/// What belongs to a character beside the set: its skeleton, animations and their events; of all characters without a
/// name. For each its possible names.
[[nodiscard]] std::vector<std::vector<std::string>> partsOf(const Ancs& ancs, const std::string& id,
                                                            Additive additive = Additive::leftOut);

/// Adds the mesh of a character, with the files that the set names; what is missing or damaged is left out with
/// warnings.
/// @throws core::DecodeError for a material set that the model lacks; of the kind `limit`
void dressCharacter(core::Asset& asset, const Ancs& ancs, const std::string& id, BodySettings settings,
                    const Companions& companions, Context& context);
/// Reads the files of the mesh, as dressing the character does.
void readDressOf(const Ancs& ancs, const std::string& id, const BodySettings& settings, const Companions& companions,
                 Context& context);

/// A character with all its clips. Those that are missing or can't be read are reported by warnings and keep their
/// index.
/// @param given the skeleton, instead of the one that the set names; may be null
/// @param settings of every clip; ClipSettings::additive: changes to other animations become clips, too, and they alone
/// are marked as such
/// @throws core::DecodeError if there is no skeleton, or not one clip; core::DecodeError of the kind `limit`
[[nodiscard]] core::Asset loadCharacter(const Ancs& ancs, const std::string& id, const Cinf* given,
                                        const ClipSettings& settings, Context& context);

}  // namespace reanima::metroid
