/// The two games whose files have different layouts.
#pragma once

#include <optional>
#include <string_view>

namespace reanima::metroid {

enum class Game { prime, echoes };

/// `mp1` or `mp2`, as in options and JSON.
[[nodiscard]] std::string_view gameName(Game game);
/// The game with this name, if there is one.
[[nodiscard]] std::optional<Game> gameNamed(std::string_view name);

}  // namespace reanima::metroid
