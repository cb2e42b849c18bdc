/// Names of Final Fantasy VII's battle models and their clips: the tables battle.csv, clips.csv, actions.csv and
/// limits.csv of formats/ff7/names, and the models' own action scripts.
///
/// Sources of the names: docs/formats/ff7_battle_animation.md
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "action_scripts.h"
#include "core/called.h"

namespace reanima::ff7 {

/// The character whose files begin with two letters, if its skeleton has the kind listed in the table. The letters are
/// its stem.
/// @param file `rtda`, `rtaa`
/// @param kind BattleSkeleton::kind
[[nodiscard]] core::Called battleCharacter(std::string_view file, std::uint32_t kind);

/// The same for any skeleton.
[[nodiscard]] core::Called battleCharacter(std::string_view file);

/// An enemy, with its name in the user's own `scene.bin`. Unknown unless file and table agree that it is an enemy.
/// @param name from File::told (kOwnNameKey)
[[nodiscard]] core::Called enemyCalled(std::string_view name, std::string_view file, std::uint32_t kind);

/// Names of clips by their index in a pack, as used by players and modding tools: `2x cut`.
using ClipNames = std::map<std::uint32_t, std::string>;

/// The clip names of a character's own pack. For players they are from the table, or else from the actions that play
/// the clips. For enemies they are from the actions.
/// @param file name of the pack
/// @param scripts the character's; none: only the table is used
[[nodiscard]] ClipNames clipNamesOf(std::string_view file, std::uint32_t kind, const ActionScripts& scripts);

/// True if a file contains a limit break of the character with the letters of `character`.
/// @param file `limcl1.a00`
[[nodiscard]] bool isLimitOf(std::string_view file, std::string_view character);

/// True if a file contains a limit break of any character.
[[nodiscard]] bool isLimit(std::string_view file);

/// The limit break in a file: `Braver` of `blaver.a00`. Empty if only the file's name is known.
[[nodiscard]] std::string limitBreak(std::string_view file);

}  // namespace reanima::ff7
