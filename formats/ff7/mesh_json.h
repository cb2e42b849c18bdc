/// Meshes and textures as JSON, and back.
#pragma once

#include "json/json.h"
#include "piece.h"
#include "texture.h"

namespace reanima::ff7 {

[[nodiscard]] Json toJson(const Piece& piece, const core::Diagnostics& diagnostics);
/// Counts are taken from the lists. Only the stated counts of missing boxes and normal indices are kept.
/// @throws core::DecodeError that names the member
[[nodiscard]] Piece pieceFromJson(const JsonReader& json, const core::Limits& limits, core::Diagnostics& diagnostics);

/// @throws core::DecodeError of the kind `limit` if the pixels of all palettes exceed the limits
[[nodiscard]] Json toJson(const Texture& texture, const core::Limits& limits, const core::Diagnostics& diagnostics);
/// Lists must have the sizes that the header states. A note reports hashes that differ.
/// @throws core::DecodeError that names the member
[[nodiscard]] Texture textureFromJson(const JsonReader& json, const core::Limits& limits,
                                      core::Diagnostics& diagnostics);

}  // namespace reanima::ff7
