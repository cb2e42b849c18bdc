/// Edits scenes of a game's clips like other programs. The bytes of an input control the edits, which mostly follow
/// glTF's rules.
#pragma once

#include <string>

#include "core/bytes.h"

namespace reanima::fuzz {

/// An unknown extension. Readers must reject scenes that require it.
inline constexpr std::string_view kUnknownExtension = "VENDOR_unknown";

/// A changed .glb.
/// @param json the original's JSON, whose accessors have floats without gaps
/// @param keys the original's buffer
/// @param edits a sequence: a byte selects the edit, the following bytes its target and amount
[[nodiscard]] core::ByteVector editedGlb(const std::string& json, const core::ByteVector& keys, core::Bytes edits);

}  // namespace reanima::fuzz
