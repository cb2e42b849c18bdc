/// What the materials of glTF files look like.
#pragma once

#include "core/rig.h"
#include "gltf_document.h"

namespace reanima::gltf {

/// The materials of a file, and their images as far as they can be read (PNG, JPEG). Only what figures are drawn
/// with is read: base colours, their textures, and transparency.
/// @return a look without vertices; the last material is that of meshes that have none
/// @throws core::DecodeError of the kind `limit` for images that take too much memory
[[nodiscard]] core::RigLook materialsOf(Document& document, const core::Limits& limits);

}  // namespace reanima::gltf
