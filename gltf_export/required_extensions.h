/// Extensions that glTF files can't be read without.
#pragma once

#include "gltf_document.h"

namespace reanima::gltf {

/// @throws core::DecodeError that names the extensions that a file requires, if joints may move or stand otherwise
/// because of them: those that are read are allowed, and those of materials, textures, lights and the like
void requireKnownExtensions(const Document& document);

}  // namespace reanima::gltf
