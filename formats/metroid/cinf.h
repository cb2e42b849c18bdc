/// Skeletons of Metroid Prime and Metroid Prime 2: Echoes (CINF).
///
/// Layout, units and evidence: docs/formats/metroid_cinf.md
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../../core/bytes.h"
#include "../../core/diagnostics.h"
#include "game.h"

namespace reanima::metroid {

struct CinfBone {
    std::uint32_t id = 0;
    std::uint32_t parentId = 0;                       ///< if no bone has this id, the bone is a root
    std::array<float, 3> position{};                  ///< in model space, in the game's units and axes
    std::array<std::array<float, 4>, 2> rotations{};  ///< Echoes only: W X Y Z; not needed for animation
    std::vector<std::uint32_t> links;                 ///< ids of parent and children, some of which do not exist
};

struct CinfName {
    std::string name;  ///< bytes as stored
    std::uint32_t id = 0;
};

struct Cinf {
    Game game = Game::prime;
    std::vector<CinfBone> bones;
    std::vector<std::uint32_t> buildOrder;  ///< ids, in the order in which the game computes poses
    std::vector<CinfName> names;
    core::ByteVector padding;  ///< bytes after the content
};

/// Decodes a skeleton. Without a game, both layouts are tried. Only one can fit to the last byte.
/// @throws core::DecodeError for a truncated file, impossible counts, numbers above 1e18 or not finite, and cyclic
/// parents
[[nodiscard]] Cinf decodeCinf(core::Bytes file, std::optional<Game> game, core::Diagnostics& diagnostics);

/// Encodes a skeleton. A decoded file is reproduced byte for byte.
[[nodiscard]] core::ByteVector encodeCinf(const Cinf& cinf);

/// A bone that is its own ancestor, if there is one.
[[nodiscard]] std::optional<std::size_t> findCircle(const Cinf& cinf);

/// The indices of the bones in file order, except that parents come before their children.
/// @throws core::DecodeError if parents are cyclic
[[nodiscard]] std::vector<std::uint32_t> parentsFirst(const Cinf& cinf);

/// The game whose layout fits a skeleton better. Empty if it can be read in neither layout.
[[nodiscard]] std::optional<Game> gameShownBy(core::Bytes file);

/// True if all bytes have the structure of a skeleton.
[[nodiscard]] bool isCinf(core::Bytes file);

}  // namespace reanima::metroid
