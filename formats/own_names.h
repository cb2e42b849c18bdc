/// What characters are called in the user's own files, in his language, where a file of the game says so for all of
/// them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "../core/bytes.h"

namespace reanima {

/// File::told has it: the name that the user's own files have for the file's character; of a file that holds several
/// characters, in the form that its format reads.
inline constexpr std::string_view kOwnNameKey = "own-name";

/// By the letters that tell a character's files from others': `rt`.
using OwnNames = std::map<std::string, std::string, std::less<>>;

/// A file of a game with such names.
struct NameFile {
    std::string_view file;  ///< `scene.bin`
    /// Where it may lie, seen from the folder of the characters or of their archive, in the order in which it is looked
    /// for: `../lang-en/battle/`; empty: beside them.
    std::span<const std::string_view> folders;
    std::uint64_t largest;  ///< bytes; a file of more is none
    /// Never throws for what the file holds.
    OwnNames (*read)(core::Bytes file);
    /// The letters of a character's file; empty for any other file.
    std::string (*keyOf)(std::string_view fileName);
};

/// The file that names the characters of files of such names; null if there is none.
[[nodiscard]] const NameFile* nameFileFor(std::string_view fileName);

}  // namespace reanima
