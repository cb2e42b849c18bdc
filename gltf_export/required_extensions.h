/// Checks the extensions that glTF files require.
#pragma once

#include "gltf_document.h"

namespace reanima::gltf {

/// @throws core::DecodeError that names the extensions that a file requires, if they may affect joints. Supported
/// extensions are allowed, and those of materials, textures, lights and the like
void requireKnownExtensions(const Document& document);

}  // namespace reanima::gltf
