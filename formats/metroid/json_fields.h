/// Shared parts of the JSON of Metroid Prime's files: texts, checked numbers, and padding.
#pragma once

#include <string>

#include "animation.h"
#include "json/stored_values.h"

namespace reanima::metroid {

/// @throws core::DecodeError if it is no name of a game
[[nodiscard]] Game gameFromJson(const JsonReader& json);

/// Notes that the bytes do not show the game.
void noteHiddenGame(Game game, core::Diagnostics& diagnostics);

/// A text as storedTextFromJson() reads it.
/// @throws core::DecodeError if it is not text, or contains a zero byte
[[nodiscard]] std::string textFromJson(const JsonReader& json);

/// A number as readNumber() accepts it.
/// @throws core::DecodeError if it is not a number or is larger than kLargestNumber
[[nodiscard]] float numberFromJson(const JsonReader& json);

/// The padding after content of that size: as stored, or, if the size was changed by an edit, filled up to a multiple
/// of 32 with a warning. Bytes that are not padding are kept.
/// @throws core::DecodeError if they are not hexadecimal digits
[[nodiscard]] core::ByteVector paddingFromJson(const JsonReader& json, std::size_t contentSize, DerivedMembers& derived,
                                               core::Diagnostics& diagnostics);

}  // namespace reanima::metroid
