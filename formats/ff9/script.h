/// Event scripts of Final Fantasy IX (PlayStation): the models of actors and the animations that they play.
///
/// Layout and evidence: docs/formats/ff9_script.md
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/byte_reader.h"

namespace reanima::ff9 {

/// The model and animations of a script's object, by ids that are the same in all files.
struct Actor {
    std::vector<std::uint16_t> models;
    std::vector<std::uint16_t> animations;  ///< each once, in the order of the script
};

struct Script {
    std::string place;          ///< `Dali/Inn`; empty: there is no name, or it has unknown letters
    std::vector<Actor> actors;  ///< the objects that have a model
};

/// Decodes all functions of a script.
/// @throws core::DecodeError if a function contains an unknown instruction or does not end where the next one begins
[[nodiscard]] Script decodeScript(const core::LittleEndianReader& file);

/// The place name in a script. Empty if the bytes do not begin like a script, or if the name has letters that European
/// and American discs lack. Never throws.
[[nodiscard]] std::string placeOfScript(core::Bytes bytes);

/// True for a letter that European and American discs lack, or that is unknown.
[[nodiscard]] bool isUnknownLetter(std::uint8_t letter);

/// A text in the letters of European and American discs. Unknown letters become `?`.
[[nodiscard]] std::string textOf(core::Bytes letters);

}  // namespace reanima::ff9
