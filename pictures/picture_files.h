/// Reads the picture formats that other programs' models use.
#pragma once

#include "../core/bytes.h"
#include "../core/limits.h"
#include "picture.h"

namespace reanima::pictures {

/// The picture of a PNG, JPEG, TGA, BMP or DDS file. From a DDS file, it reads only the largest picture, which must be
/// compressed as DXT1, DXT3 or DXT5 (BC1 to BC3). A TGA or BMP whose alpha is 0 everywhere is read as opaque.
/// @throws core::DecodeError if the file is of another kind, damaged, or exceeds the limits
[[nodiscard]] Picture readPictureFile(core::Bytes file, const core::Limits& limits);

}  // namespace reanima::pictures
