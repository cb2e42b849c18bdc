/// Entries of an archive by character: `battle.lgp:Cloud`.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "archive.h"
#include "own_names.h"

namespace reanima::archives {

/// The entries whose file names belong to characters of this name. If a character has several files, only the file
/// whose format comes first in the list of formats is included: for a battle character, the animation pack.
/// @param name a name that the user typed: case does not matter, and other spellings of the same name are accepted
/// @param own names from the user's own files, in addition to the built-in tables
[[nodiscard]] std::vector<const Entry*> entriesCalled(
    const Archive& archive, std::string_view name,
    const std::function<core::Called(std::string_view fileName)>& own = {});

/// The character titles of entries, by their file names: `rtda` -> `cloud`.
[[nodiscard]] std::map<const Entry*, std::string> titlesOf(
    const Archive& archive, const std::function<core::Called(std::string_view fileName)>& own = {});

/// The title of a character in an archive that is closest to a mistyped name; empty if none is close.
[[nodiscard]] std::string titleNear(const Archive& archive, std::string_view name,
                                    const std::function<core::Called(std::string_view fileName)>& own = {});

/// The Final Fantasy IX model after which another program named a file: `GEO_MAIN_F0_VIV` for `GEO_MAIN_F0_VIV
/// (merge).fbx` and for `8.fbx`. Empty for other names.
[[nodiscard]] std::string modelCalledAs(std::string_view path);

/// The Final Fantasy IX animation with this number: `ANH_MAIN_F0_ZDN_RUN`. Empty if there is none.
[[nodiscard]] std::string_view animationCalled(std::uint32_t number);

}  // namespace reanima::archives
