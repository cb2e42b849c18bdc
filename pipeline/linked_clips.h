/// Loads a character with its animations from other files. The game's files, a table or names link them to it.
#pragma once

#include "character_files.h"
#include "core/asset.h"
#include "formats/common_options.h"
#include "formats/input.h"

namespace reanima {

/// A loaded file and its companions: those that the user named, and those that were found.
struct LinkedAsset {
    core::Asset asset;
    Companions companions;
    bool mayBeLinked = false;         ///< see FoundAnimations
    std::vector<std::string> linked;  ///< paths of the files with further clips
};

/// Loads a file and appends the clips that CharacterFiles finds for it. Clips with a different number of bones are left
/// out, with one note. Damaged clips are left out with a warning each.
/// @param given the companions that the user named
/// @param files the host's; its cached content must match the files
/// @throws core::DecodeError as load() does, and if the user named a file for the links that contains none
[[nodiscard]] LinkedAsset loadWithLinked(const Input& input, const Companions& given, Context& context,
                                         CharacterFiles& files);

/// Adds the file with a skeleton's usual pose to the skeleton's companions, if that file was found.
/// @throws core::DecodeError if that file can't be read
void addPose(const Input& skeleton, const FoundAnimations& found, const CharacterFiles& files, Companions& companions,
             Context& context);

/// Records how the clips were linked to their character. A single clip gets the game's name from the link.
void tellLink(core::Asset& asset, const FoundAnimation& found, NamesBy by);

/// True if an animation has one clip, named after its number, and earlier animations contain this clip.
[[nodiscard]] bool isThereAlready(const core::Asset& animation, const std::vector<core::Asset>& earlier);

/// True if loading reported that an animation has a different number of bones than its skeleton.
[[nodiscard]] bool movesOthers(const core::Diagnostics& diagnostics);

/// Notes that a skeleton's rest pose is the first frame of an animation, chosen only for its number of bones.
/// @param skeleton name of the skeleton's file in messages
void notePose(const std::string& skeleton, const std::string& animation, core::Diagnostics& diagnostics);

/// Notes how many found or requested animations have a different number of bones. Does nothing for 0.
void noteLeftOut(std::size_t count, std::size_t all, core::Diagnostics& diagnostics);

}  // namespace reanima
