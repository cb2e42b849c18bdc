/// Loads a character with animations in other files, linked by its game, a table or names.
#pragma once

#include "character_files.h"
#include "core/asset.h"
#include "formats/common_options.h"
#include "formats/input.h"

namespace reanima {

/// A loaded file and its companions, given and found.
struct LinkedAsset {
    core::Asset asset;
    Companions companions;
    bool mayBeLinked = false;         ///< see FoundAnimations
    std::vector<std::string> linked;  ///< paths of the files with further clips
};

/// Loads a file and appends clips that CharacterFiles finds for it. Clips with another number of bones are left out and
/// counted in a note; damaged ones are left out with a warning each.
/// @param given what the user named
/// @param files of the host; their content must only change if the files do
/// @throws core::DecodeError as load() does, and for a file that was named as the source of links but has none
[[nodiscard]] LinkedAsset loadWithLinked(const Input& input, const Companions& given, Context& context,
                                         CharacterFiles& files);

/// Adds the file with a skeleton's usual pose as its companion, if one was found.
/// @throws core::DecodeError if that can't be read
void addPose(const Input& skeleton, const FoundAnimations& found, const CharacterFiles& files, Companions& companions,
             Context& context);

/// Records how the clips were linked to their character, and gives a single clip the game's name there.
void tellLink(core::Asset& asset, const FoundAnimation& found, NamesBy by);

/// True if the only clip of an animation that is called after its number is among the clips of earlier ones.
[[nodiscard]] bool isThereAlready(const core::Asset& animation, const std::vector<core::Asset>& earlier);

/// True if loading reported that an animation has another number of bones than its skeleton.
[[nodiscard]] bool movesOthers(const core::Diagnostics& diagnostics);

/// Notes that the rest pose of a skeleton is the first frame of an animation of which only the number of bones is
/// known.
/// @param skeleton name of its file in messages
void notePose(const std::string& skeleton, const std::string& animation, core::Diagnostics& diagnostics);

/// Notes how many of the found or requested animations have another number of bones; nothing if none.
void noteLeftOut(std::size_t count, std::size_t all, core::Diagnostics& diagnostics);

}  // namespace reanima
