/// Floats and texts of a game's file as JSON, without loss.
#pragma once

#include "json/json.h"

namespace reanima {

/// The shortest decimal that reads back as the same 32 bits. Whole numbers are unchanged.
[[nodiscard]] double shortest(float value);

/// The shortest decimal, or eight hexadecimal digits for a float that is not finite.
[[nodiscard]] Json floatToJson(float value);
/// @throws DecodeError for any other value
[[nodiscard]] float floatFromJson(const JsonReader& json);

/// A text as stored, or {"hex": ...} if it is not UTF-8.
[[nodiscard]] Json textToJson(const std::string& text);
/// @throws DecodeError for any other value
[[nodiscard]] std::string storedTextFromJson(const JsonReader& json);

}  // namespace reanima
