/// Checks the extensions that glTF files require.
#pragma once

#include "gltf_document.h"

namespace reanima::gltf {

/// @throws core::DecodeError that names required extensions which may affect joints. Supported extensions are allowed,
/// as are extensions for materials, textures, lights and the like
void requireKnownExtensions(const Document& document);

}  // namespace reanima::gltf
