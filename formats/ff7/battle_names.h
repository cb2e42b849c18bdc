/// Who the battle models of Final Fantasy VII are, and what their clips are called: the tables battle.csv, clips.csv,
/// actions.csv and limits.csv of formats/ff7/names, and the models' own action scripts.
///
/// What the names rest on: docs/formats/ff7_battle_animation.md
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "action_scripts.h"
#include "core/called.h"

namespace reanima::ff7 {

/// The character whose files begin with two letters, if its skeleton is of the kind that the table says. Its stem are
/// the letters.
/// @param file `rtda`, `rtaa`
/// @param kind BattleSkeleton::kind
[[nodiscard]] core::Called battleCharacter(std::string_view file, std::uint32_t kind);

/// The same, whatever the skeleton is.
[[nodiscard]] core::Called battleCharacter(std::string_view file);

/// An enemy by the name that the user's own `scene.bin` has for it, if its skeleton is one of an enemy, by the file and
/// by the table.
/// @param name as File::told has it (kOwnNameKey)
[[nodiscard]] core::Called enemyCalled(std::string_view name, std::string_view file, std::uint32_t kind);

/// Names of clips by their index in a pack, as the game's players and programs call them: `2x cut`.
using ClipNames = std::map<std::uint32_t, std::string>;

/// Those of a character's own pack: of players by the table, and where that does not tell by the actions that play
/// them; of enemies by the actions.
/// @param file the pack's
/// @param scripts the character's; none: by the table alone
[[nodiscard]] ClipNames clipNamesOf(std::string_view file, std::uint32_t kind, const ActionScripts& scripts);

/// True if a file holds the animations of a limit break of the character whose files begin with those of `character`.
/// @param file `limcl1.a00`
[[nodiscard]] bool isLimitOf(std::string_view file, std::string_view character);

/// True if a file holds the animations of any character's limit break.
[[nodiscard]] bool isLimit(std::string_view file);

}  // namespace reanima::ff7
