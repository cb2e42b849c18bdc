/// What a game and those who study it call its characters and clips, and how that is known.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace reanima::core {

/// Where a name comes from.
enum class NamedBy : std::uint8_t {
    file,   ///< made of the file's name and of numbers in it
    game,   ///< it stands in the game's files
    table,  ///< it stands in a table of this program; the format's page tells its source
};

/// How it is known that a clip belongs to its character.
enum class LinkedBy : std::uint8_t {
    nothing,  ///< the file holds no other character, or says itself which one it is
    script,   ///< a script of the game plays it on that character
    field,    ///< a list of the game has both
    name,     ///< their names in a table belong together
    bones,    ///< it moves as many bones: it may be another character's
    given,    ///< the user named both
};

/// `file`, `game`, `table`.
[[nodiscard]] std::string_view nameOf(NamedBy named);
/// `script`, `field`, `name`, `bones`, `given`; empty for `nothing`.
[[nodiscard]] std::string_view nameOf(LinkedBy linked);

/// Who a character is.
struct Called {
    std::string title{};  ///< short, for files and lists: `zidane`, of the letters a-z, digits and `_`; empty: unknown
    std::string stem{};   ///< tells it from others of that title, in names of files: `sb`; empty: the file's own
    std::string fullName{};  ///< the game's own, `GEO_MAIN_F0_ZDN`, or the label that the title is made of
    NamedBy namedBy = NamedBy::file;
    /// The game's own number of the model, where that is known; whatever names are made of.
    std::optional<std::uint32_t> number{};

    [[nodiscard]] bool isKnown() const { return !title.empty() || !fullName.empty(); }
};

/// The title that a label stands for: lower case, everything else but digits one `_`; `Red XIII` -> `red_xiii`.
[[nodiscard]] std::string titleOf(std::string_view label);

}  // namespace reanima::core
