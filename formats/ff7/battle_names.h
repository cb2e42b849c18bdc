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

/// The character of these files, if the table has the same `kind` for it. Called::stem is the first two letters of the
/// files.
/// @param file `rtda`, `rtaa`
/// @param kind BattleSkeleton::kind
[[nodiscard]] core::Called battleCharacter(std::string_view file, std::uint32_t kind);

/// The character of these files, whatever the kind of its skeleton.
[[nodiscard]] core::Called battleCharacter(std::string_view file);

/// An enemy, named as in the user's own `scene.bin`. Unknown unless the file and the table call it an enemy.
/// @param name the value of kOwnNameKey in File::told
[[nodiscard]] core::Called enemyCalled(std::string_view name, std::string_view file, std::uint32_t kind);

/// Names of clips by their index in a pack, as used by players and modding tools: `2x cut`.
using ClipNames = std::map<std::uint32_t, std::string>;

/// The clip names of a character's own pack. Names of players' clips come from the table or, if it has none, from the
/// actions that play the clips. Names of enemies' clips come from the actions.
/// @param file the pack's file name
/// @param scripts action scripts of the character; if empty, only the table is used
[[nodiscard]] ClipNames clipNamesOf(std::string_view file, std::uint32_t kind, const ActionScripts& scripts);

/// True if a file contains a limit break of the character whose files begin with the letters of `character`.
/// @param file `limcl1.a00`
[[nodiscard]] bool isLimitOf(std::string_view file, std::string_view character);

/// True if a file contains a limit break of any character.
[[nodiscard]] bool isLimit(std::string_view file);

/// The skeleton of a limit break, in battle.lgp: `rtaa` for `blaver.a00`. Empty for other files.
[[nodiscard]] std::string skeletonOfLimit(std::string_view file);

/// The limit break in a file: `Braver` of `blaver.a00`. Empty if the table has no name for it.
[[nodiscard]] std::string limitBreak(std::string_view file);

}  // namespace reanima::ff7
