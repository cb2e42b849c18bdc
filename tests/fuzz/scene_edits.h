/// Edits scenes of a game's clips as programs do, controlled by the bytes of an input, mostly in ways that glTF allows.
#pragma once

#include <string>

#include "core/bytes.h"

namespace reanima::fuzz {

/// An unknown extension, required by scenes that readers must refuse.
inline constexpr std::string_view kUnknownExtension = "VENDOR_unknown";

/// A .glb, changed.
/// @param json of the unchanged one, whose accessors hold floats without gaps
/// @param keys its buffer
/// @param edits in sequence: a byte selects the edit, the following bytes its target and amount
[[nodiscard]] core::ByteVector editedGlb(const std::string& json, const core::ByteVector& keys, core::Bytes edits);

}  // namespace reanima::fuzz
