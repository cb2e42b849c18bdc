/// Floats and texts of a game's file as JSON: bit by bit the same when they are read again.
#pragma once

#include "json/json.h"

namespace reanima {

/// The shortest decimal that reads back as the same 32 bits; whole numbers as they are.
[[nodiscard]] double shortest(float value);

/// The shortest decimal; the eight hexadecimal digits of a float that is no number or infinite.
[[nodiscard]] Json floatToJson(float value);
/// @throws DecodeError if it is neither
[[nodiscard]] float floatFromJson(const JsonReader& json);

/// A text as stored; one that is no UTF-8 as {"hex": ...}.
[[nodiscard]] Json textToJson(const std::string& text);
/// @throws DecodeError if it is neither
[[nodiscard]] std::string storedTextFromJson(const JsonReader& json);

}  // namespace reanima
