/// Character sets of Metroid Prime and Metroid Prime 2: Echoes (ANCS): skeletons and names of animations.
///
/// Layout and evidence: docs/formats/metroid_ancs.md
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/bytes.h"
#include "formats/metroid/game.h"

namespace reanima::metroid {

/// A leaf of an animation tree: one ANIM file.
struct Primitive {
    std::uint32_t anim = 0;  ///< id of the file
    std::uint32_t index = 0;
    std::string name;  ///< bytes as stored
};
/// All leaves of a tree of blends, choices and sequences, in file order. Repeated leaves are kept.
using Primitives = std::vector<Primitive>;

struct AncsCharacter {
    /// An animation that the character has.
    struct Action {
        std::uint32_t index = 0;  ///< index into Ancs::animations
        std::string name;
    };
    /// The look of the character while it is frozen.
    struct Overlay {
        std::uint32_t model = 0;
        std::uint32_t skin = 0;
    };

    std::uint32_t index = 0;
    std::uint16_t version = 0;   ///< 1 to 6 in Prime, 10 in Echoes
    std::string name;            ///< bytes as stored
    std::uint32_t model = 0;     ///< id of the CMDL
    std::uint32_t skin = 0;      ///< id of the CSKR
    std::uint32_t skeleton = 0;  ///< id of the CINF
    std::vector<Action> actions;
    std::optional<Overlay> overlay;
    std::vector<std::uint32_t> used;  ///< the character's number for an animation -> index in Ancs::animations
};

struct Ancs {
    struct Animation {
        std::string name;
        Primitives primitives;
    };
    struct Transition {
        std::uint32_t from = 0;  ///< index of an animation
        std::uint32_t to = 0;
        Primitives primitives;
    };
    /// An animation whose changes are added to another one.
    struct Additive {
        std::uint32_t index = 0;  ///< index of an animation
        float fadeIn = 0;
        float fadeOut = 0;
    };
    struct HalfTransition {
        std::uint32_t index = 0;  ///< index of an animation
        Primitives primitives;
    };
    struct Resource {
        std::uint32_t anim = 0;
        std::uint32_t evnt = 0;  ///< kNoEvents: none
    };

    Game game = Game::prime;
    std::vector<AncsCharacter> characters;
    std::vector<Animation> animations;
    std::vector<Transition> transitions;
    Primitives defaultTransition;
    std::vector<Additive> additive;
    std::vector<HalfTransition> halfTransitions;
    std::optional<std::vector<Resource>> resources;  ///< Prime only, in newer versions
};

/// Decodes a character set. Without a game, both layouts are tried. Only one can fit to the last byte. Echoes' events
/// at the end are not read.
/// @throws core::DecodeError for a truncated file, impossible counts, and trees deeper than 32
[[nodiscard]] Ancs decodeAncs(core::Bytes file, std::optional<Game> game);

/// True if all bytes have the structure of a character set.
[[nodiscard]] bool isAncs(core::Bytes file);
/// True if the bytes begin like a truncated or damaged character set.
[[nodiscard]] bool beginsLikeAncs(core::Bytes file);

}  // namespace reanima::metroid
