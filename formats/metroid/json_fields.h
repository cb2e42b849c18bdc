/// What the JSON of Metroid Prime's files shares: texts, numbers that are checked, and padding.
#pragma once

#include <string>

#include "animation.h"
#include "json/stored_values.h"

namespace reanima::metroid {

/// @throws core::DecodeError if it is no name of a game
[[nodiscard]] Game gameFromJson(const JsonReader& json);

/// Notes that the bytes do not show which game they are of.
void noteHiddenGame(Game game, core::Diagnostics& diagnostics);

/// A text as storedTextFromJson() reads it.
/// @throws core::DecodeError if it is not text, or holds a zero byte
[[nodiscard]] std::string textFromJson(const JsonReader& json);

/// A number as readNumber() accepts it.
/// @throws core::DecodeError if it is larger than kLargestNumber, or none
[[nodiscard]] float numberFromJson(const JsonReader& json);

/// The bytes after content of that size: as stored, or with a warning as many as fill up to a multiple of 32 where the
/// content was edited and is not as long as it was. What is no padding is kept.
/// @throws core::DecodeError if they are no hexadecimal digits
[[nodiscard]] core::ByteVector paddingFromJson(const JsonReader& json, std::size_t contentSize, DerivedMembers& derived,
                                               core::Diagnostics& diagnostics);

}  // namespace reanima::metroid
