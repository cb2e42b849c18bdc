/// Additional extensions, so that programs with a fixed list of extensions open the games' files.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace reanima {

/// Extensions of formats that most viewers and engines open, in lower case.
inline constexpr std::array<std::string_view, 4> kAliases = {"dae", "fbx", "glb", "obj"};

/// A name or a path without an alias at its end: `battle/hrda.dae` -> `battle/hrda`.
[[nodiscard]] std::string withoutAlias(std::string_view path);

}  // namespace reanima
