/// The look of the materials in glTF files.
#pragma once

#include "core/rig.h"
#include "gltf_document.h"

namespace reanima::gltf {

/// The materials of a file, and their images as far as they can be read (PNG, JPEG). Only the values for drawings are
/// read: base colours, their textures, and transparency.
/// @return a look without vertices. Its last material is for meshes without a material
/// @throws core::DecodeError of the kind `limit` for images that need too much memory
[[nodiscard]] core::RigLook materialsOf(Document& document, const core::Limits& limits);

}  // namespace reanima::gltf
