/// Scenes of a game's clips that were changed as programs change them: by the bytes of an input, most of it in ways
/// that glTF allows.
#pragma once

#include <string>

#include "core/bytes.h"

namespace reanima::fuzz {

/// Required by scenes that readers have to refuse: nobody knows it.
inline constexpr std::string_view kUnknownExtension = "VENDOR_unknown";

/// A .glb, changed.
/// @param json of the unchanged one, whose accessors hold floats without gaps
/// @param keys its buffer
/// @param edits one after the other: a byte says what is done, those after it to what and how much
[[nodiscard]] core::ByteVector editedGlb(const std::string& json, const core::ByteVector& keys, core::Bytes edits);

}  // namespace reanima::fuzz
