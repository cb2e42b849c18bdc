/// Reads and writes the materials of Metroid Prime's models.
#pragma once

#include "cmdl.h"
#include "reading.h"

namespace reanima::metroid {

/// Reads a material set up to the end of its last material.
/// @throws core::DecodeError for counts above the bytes left, missing textures, animations of unknown types, and ends
/// that do not match
[[nodiscard]] MaterialSet readMaterialSet(Reader& section, Game game);

[[nodiscard]] core::ByteVector encodeMaterialSet(const MaterialSet& set, Game game);

}  // namespace reanima::metroid
