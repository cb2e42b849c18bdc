/// Names of characters and clips, given by the game or its researchers, and where they come from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace reanima::core {

/// Where a name comes from.
enum class NamedBy : std::uint8_t {
    file,   ///< derived from the file's name and numbers in it
    game,   ///< found in the game's files
    table,  ///< from a table of this program; the format's page states its source
};

/// The evidence that a clip belongs to its character.
enum class LinkedBy : std::uint8_t {
    nothing,  ///< the file contains no other character, or states the clip's character
    script,   ///< a script of the game plays it on that character
    field,    ///< a list of the game contains both
    name,     ///< the names match: names from a table, or file names
    bones,    ///< only the number of bones matches: the clip may be another character's
    given,    ///< the user named both
};

/// `file`, `game`, `table`.
[[nodiscard]] std::string_view nameOf(NamedBy named);
/// `script`, `field`, `name`, `bones`, `given`; empty for `nothing`.
[[nodiscard]] std::string_view nameOf(LinkedBy linked);

/// Who a character is.
struct Called {
    std::string title{};  ///< short, with only a-z, digits and `_`, for files and lists: `zidane`; empty: unknown
    std::string stem{};   ///< distinguishes the file names of characters with this title: `sb`; empty: the file's stem
    std::string fullName{};  ///< the name in the game, `GEO_MAIN_F0_ZDN`, or the label from which the title is derived
    NamedBy namedBy = NamedBy::file;
    /// The game's own number of the model, if known; not necessarily used in names.
    std::optional<std::uint32_t> number{};

    [[nodiscard]] bool isKnown() const { return !title.empty() || !fullName.empty(); }
};

/// The title for a label, in lower case: letters and digits stay, and one `_` replaces everything between them. `Red
/// XIII` -> `red_xiii`.
[[nodiscard]] std::string titleOf(std::string_view label);

}  // namespace reanima::core
