/// Shared parts of the JSON of Metroid Prime's files: texts, checked numbers, and padding.
#pragma once

#include <string>

#include "game.h"
#include "json/stored_values.h"

namespace reanima::metroid {

/// @throws core::DecodeError if it is not the name of a game
[[nodiscard]] Game gameFromJson(const JsonReader& json);

/// Notes that the bytes do not show which game they belong to.
void noteHiddenGame(Game game, core::Diagnostics& diagnostics);

/// A text in the form that storedTextFromJson() reads.
/// @throws core::DecodeError if it is not text, or contains a zero byte
[[nodiscard]] std::string textFromJson(const JsonReader& json);

/// A number, as accepted by readNumber().
/// @throws core::DecodeError if it is not a number or is larger than kLargestNumber
[[nodiscard]] float numberFromJson(const JsonReader& json);

/// The padding after content of this size, as stored. If an edit changed the size, the content is padded to a multiple
/// of 32 bytes, with a warning. Bytes other than padding are kept.
/// @throws core::DecodeError if the member does not consist of hexadecimal digits
[[nodiscard]] core::ByteVector paddingFromJson(const JsonReader& json, std::size_t contentSize, DerivedMembers& derived,
                                               core::Diagnostics& diagnostics);

}  // namespace reanima::metroid
