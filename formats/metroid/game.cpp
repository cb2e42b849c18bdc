#include "formats/metroid/game.h"

namespace reanima::metroid {

std::string_view gameName(Game game) { return game == Game::prime ? "mp1" : "mp2"; }

std::optional<Game> gameNamed(std::string_view name) {
    for (const Game game : {Game::prime, Game::echoes})
        if (gameName(game) == name)
            return game;
    return std::nullopt;
}

}  // namespace reanima::metroid
