/// Meshes and textures as JSON, and back.
#pragma once

#include "json/json.h"
#include "piece.h"
#include "texture.h"

namespace reanima::ff7 {

[[nodiscard]] Json toJson(const Piece& piece, const core::Diagnostics& diagnostics);
/// Counts follow the lists; those of boxes and normal indices that a file states and lacks are kept.
/// @throws core::DecodeError that names the member
[[nodiscard]] Piece pieceFromJson(const JsonReader& json, const core::Limits& limits, core::Diagnostics& diagnostics);

/// @throws core::DecodeError of the kind `limit` if the pixels of all palettes together exceed the limits
[[nodiscard]] Json toJson(const Texture& texture, const core::Limits& limits, const core::Diagnostics& diagnostics);
/// Lists have the sizes that the header states. The hashes are compared: a note names them if they differ.
/// @throws core::DecodeError that names the member
[[nodiscard]] Texture textureFromJson(const JsonReader& json, const core::Limits& limits,
                                      core::Diagnostics& diagnostics);

}  // namespace reanima::ff7
