/// Floats and texts of a game's file as JSON, without loss.
#pragma once

#include "json/json.h"

namespace reanima {

/// The shortest decimal that reads back as the same 32 bits; whole numbers unchanged.
[[nodiscard]] double shortest(float value);

/// The shortest decimal; eight hexadecimal digits for a float that is not finite.
[[nodiscard]] Json floatToJson(float value);
/// @throws DecodeError if it is neither
[[nodiscard]] float floatFromJson(const JsonReader& json);

/// A text as stored; if it is not UTF-8, {"hex": ...}.
[[nodiscard]] Json textToJson(const std::string& text);
/// @throws DecodeError if it is neither
[[nodiscard]] std::string storedTextFromJson(const JsonReader& json);

}  // namespace reanima
