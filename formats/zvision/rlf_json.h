/// An RLF as JSON.
#pragma once

#include "formats/zvision/rlf.h"
#include "json/json.h"

namespace reanima::zvision {

/// @param palindrome whether the order of pictures reads the same backwards
/// @throws core::DecodeError if the JSON needs more memory than the limits allow
[[nodiscard]] Json toJson(const Rlf& video, bool palindrome, const core::Limits& limits,
                          const core::Diagnostics& diagnostics);

/// The file that the JSON describes. Counts and sizes that no longer fit are recomputed, with a warning.
/// @throws core::DecodeError for values that no file can store, or if the limits are exceeded
[[nodiscard]] core::ByteVector rlfFromJson(const JsonReader& json, const core::Limits& limits,
                                           core::Diagnostics& diagnostics);

/// Reports derived values of the JSON that were changed.
/// @param written the dump of the resulting file
void reportDerived(const JsonReader& json, const Json& written, core::Diagnostics& diagnostics);

}  // namespace reanima::zvision
