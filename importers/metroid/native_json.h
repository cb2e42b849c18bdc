/// Animations, skeletons and events as JSON: what `dump` writes and `encode` reads.
#pragma once

#include "../../core/limits.h"
#include "../json.h"
#include "animation.h"
#include "cinf.h"
#include "evnt.h"

namespace reanima::metroid {

/// @throws core::DecodeError if the keys exceed the limits
[[nodiscard]] Json toJson(const Animation& animation, const core::Limits& limits, const core::Diagnostics& diagnostics);

/// Stored whole numbers win over the values that they stand for; where they are missing, or no longer as many as there
/// are keys, the values are quantised, with a note about the error. Words that no longer fit are written anew, with a
/// warning.
/// @throws core::DecodeError that names the path of a value that does not fit
[[nodiscard]] Animation animationFromJson(const JsonReader& json, core::Diagnostics& diagnostics);

[[nodiscard]] Json toJson(const Cinf& cinf, const core::Diagnostics& diagnostics);
/// @throws core::DecodeError that names the path of a value that does not fit
[[nodiscard]] Cinf cinfFromJson(const JsonReader& json, core::Diagnostics& diagnostics);

[[nodiscard]] Json toJson(const Evnt& evnt, const core::Diagnostics& diagnostics);
/// @throws core::DecodeError that names the path of a value that does not fit
[[nodiscard]] Evnt evntFromJson(const JsonReader& json, core::Diagnostics& diagnostics);

/// The bytes behind content of that size: as stored, or with a warning as many as fill up to a multiple of 32 where the
/// content was edited and is not as long as it was. What is no padding is kept.
/// @throws core::DecodeError if they are no hexadecimal digits
[[nodiscard]] core::ByteVector paddingFromJson(const JsonReader& json, std::size_t contentSize,
                                               core::Diagnostics& diagnostics);

}  // namespace reanima::metroid
