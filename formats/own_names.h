/// Character names in the user's language, from a file of the user's own game.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "../core/bytes.h"

namespace reanima {

/// The key in File::told under which the character's name from the user's own files is stored. If a file has several
/// characters, its format defines the form of the value.
inline constexpr std::string_view kOwnNameKey = "own-name";

/// Keyed by the letters that identify a character's files: `rt`.
using OwnNames = std::map<std::string, std::string, std::less<>>;

/// A kind of game file that contains names of characters.
struct NameFile {
    std::string_view file;  ///< `scene.bin`
    /// Folders to search, in order, relative to the folder of the characters or their archive: `../lang-en/battle/`. An
    /// empty text means the same folder.
    std::span<const std::string_view> folders;
    std::uint64_t largest;  ///< in bytes; larger files are ignored
    /// Never throws because of the file's content.
    OwnNames (*read)(core::Bytes file);
    /// The letters of a character's file; empty for any other file.
    std::string (*keyOf)(std::string_view fileName);
};

/// The kind of name file that names the characters of a file called `fileName`; null if there is none.
[[nodiscard]] const NameFile* nameFileFor(std::string_view fileName);

}  // namespace reanima
