/// The nodes of glTF files, and what binds meshes to them.
#pragma once

#include <string>

#include "core/diagnostics.h"
#include "core/rig.h"
#include "gltf_document.h"

namespace reanima::gltf {

/// The scene of a document, without surfaces.
/// @param name what the skeleton is called if nothing lends its name
/// @throws core::DecodeError for what is no tree, or names what is not there
[[nodiscard]] core::Scene readScene(Document& document, const std::string& name, core::Diagnostics& diagnostics);

}  // namespace reanima::gltf
