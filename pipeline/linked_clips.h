/// A character of a file together with the animations that lie elsewhere and that its game, a table or names give it.
#pragma once

#include "character_files.h"
#include "core/asset.h"
#include "formats/common_options.h"
#include "formats/input.h"

namespace reanima {

/// What a file became, and its companions: those that were given, and those that were found.
struct LinkedAsset {
    core::Asset asset;
    Companions companions;
    bool mayBeLinked = false;  ///< see FoundAnimations
};

/// Loads a file, and after its own clips those that CharacterFiles finds for it. Those that move another number of
/// bones are left out and counted in a note; damaged ones are left out with a warning each.
/// @param given what the user named
/// @param files of the host; what is read of them may differ from one call to the next only where files changed
/// @throws core::DecodeError as load() does, and for a file that was named to say what belongs together and does not
[[nodiscard]] LinkedAsset loadWithLinked(const Input& input, const Companions& given, Context& context,
                                         CharacterFiles& files);

/// Makes the file whose first frame is the usual pose of a skeleton its companion, where one was found.
/// @throws core::DecodeError if that can't be read
void addPose(const Input& skeleton, const FoundAnimations& found, const CharacterFiles& files, Companions& companions,
             Context& context);

/// Says how the clips came to their character, and calls an only one as the game does there.
void tellLink(core::Asset& asset, const FoundAnimation& found, NamesBy by);

/// True if what loading said of an animation is that it moves another number of bones than its skeleton has.
[[nodiscard]] bool movesOthers(const core::Diagnostics& diagnostics);

/// Notes that the rest pose of a skeleton is the first frame of an animation of which only the number of bones is
/// known.
/// @param skeleton what messages call its file
void notePose(const std::string& skeleton, const std::string& animation, core::Diagnostics& diagnostics);

/// Notes how many of the animations that were found or asked for move another number of bones; nothing for none.
void noteLeftOut(std::size_t count, std::size_t all, core::Diagnostics& diagnostics);

}  // namespace reanima
