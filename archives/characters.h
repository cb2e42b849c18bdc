/// Entries of an archive by who is in them: `battle.lgp:Cloud`.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "archive.h"
#include "own_names.h"

namespace reanima::archives {

/// The entries whose names say that they are files of a character, one for each that is called so; of several files of
/// one character the one that comes first among the formats, such as its animations.
/// @param name as people write it: without case, blanks as they are; other spellings of the same name find it, too
/// @param own what the user's own files call characters, besides the tables of the program
[[nodiscard]] std::vector<const Entry*> entriesCalled(
    const Archive& archive, std::string_view name,
    const std::function<core::Called(std::string_view fileName)>& own = {});

/// The titles of the entries whose names say that they are files of a character: `rtda` is of `cloud`.
[[nodiscard]] std::map<const Entry*, std::string> titlesOf(
    const Archive& archive, const std::function<core::Called(std::string_view fileName)>& own = {});

/// The title of a character in an archive that is closest to a mistyped name; empty if none is close.
[[nodiscard]] std::string titleNear(const Archive& archive, std::string_view name,
                                    const std::function<core::Called(std::string_view fileName)>& own = {});

}  // namespace reanima::archives
