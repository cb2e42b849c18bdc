/// Reads and writes the materials of Metroid Prime's models.
#pragma once

#include "cmdl.h"
#include "formats/metroid/reading.h"

namespace reanima::metroid {

/// Reads a material set up to the end of its last material.
/// @throws core::DecodeError for impossible counts, missing textures, animations of unknown types, and wrong ends
[[nodiscard]] MaterialSet readMaterialSet(Reader& section, Game game);

[[nodiscard]] core::ByteVector encodeMaterialSet(const MaterialSet& set, Game game);

}  // namespace reanima::metroid
