/// An RLF as JSON.
#pragma once

#include "formats/zvision/rlf.h"
#include "json/json.h"

namespace reanima::zvision {

/// @param palindrome that the pictures are the same from both ends
/// @throws core::DecodeError if that takes more memory than the limits allow
[[nodiscard]] Json toJson(const Rlf& video, bool palindrome, const core::Limits& limits,
                          const core::Diagnostics& diagnostics);

/// The file that the JSON describes. Counts and sizes that fit no more are recomputed, with a warning.
/// @throws core::DecodeError for what no file can hold, or beyond the limits
[[nodiscard]] core::ByteVector rlfFromJson(const JsonReader& json, const core::Limits& limits,
                                           core::Diagnostics& diagnostics);

/// Reports what the JSON says of what follows from the rest.
/// @param written the dump of the file that was made of it
void reportDerived(const JsonReader& json, const Json& written, core::Diagnostics& diagnostics);

}  // namespace reanima::zvision
