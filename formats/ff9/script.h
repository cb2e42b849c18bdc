/// Event scripts of Final Fantasy IX (PlayStation): which model an actor has, and which animations it plays.
///
/// Layout and evidence: docs/formats/ff9_script.md
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/byte_reader.h"

namespace reanima::ff9 {

/// What an object of a script has and plays; ids are those of models and animations in every file.
struct Actor {
    std::vector<std::uint16_t> models;
    std::vector<std::uint16_t> animations;  ///< each once, in the order of the script
};

struct Script {
    std::string place;          ///< `Dali/Inn`; empty: none, or in letters that are not known
    std::vector<Actor> actors;  ///< of the entries that set a model
};

/// Walks all functions of a script.
/// @throws core::DecodeError if a function holds an unknown instruction or does not end where the next one begins
[[nodiscard]] Script decodeScript(const core::LittleEndianReader& file);

/// What the place of a script is called; empty if the bytes do not begin like a script, or in other letters than those
/// of European and American discs. Never throws.
[[nodiscard]] std::string placeOfScript(core::Bytes bytes);

/// True for a letter that discs of Europe and America do not have, or that is not known.
[[nodiscard]] bool isUnknownLetter(std::uint8_t letter);

/// A text in the letters of discs of Europe and America; those that are not known become `?`.
[[nodiscard]] std::string textOf(core::Bytes letters);

}  // namespace reanima::ff9
