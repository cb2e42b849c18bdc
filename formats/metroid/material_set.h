/// The materials of a model of Metroid Prime, out of its file and back.
#pragma once

#include "cmdl.h"
#include "reading.h"

namespace reanima::metroid {

/// Reads up to the end of the last material.
/// @throws core::DecodeError for counts above the bytes left, textures that the set lacks, animations of unknown types,
/// and ends that do not meet
[[nodiscard]] MaterialSet readMaterialSet(Reader& section, Game game);

[[nodiscard]] core::ByteVector encodeMaterialSet(const MaterialSet& set, Game game);

}  // namespace reanima::metroid
