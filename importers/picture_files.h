/// Pictures of the kinds that other programs' models name and glTF does not take.
#pragma once

#include "core/bytes.h"
#include "core/limits.h"
#include "pictures/picture.h"

namespace reanima {

/// What a TGA, a BMP or a DDS file shows, of the latter the largest picture, compressed as DXT1, DXT3 or DXT5 (BC1 to
/// BC3). A TGA or BMP that is transparent everywhere has an alpha channel that nobody filled: it is opaque.
/// @throws core::DecodeError if the file is of no such kind, damaged, or of more pixels or memory than the limits
[[nodiscard]] pictures::Picture readPictureFile(core::Bytes file, const core::Limits& limits);

}  // namespace reanima
