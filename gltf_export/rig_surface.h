/// Where the surface of a character is: the vertices of the meshes that follow its joints.
#pragma once

#include <vector>

#include "core/diagnostics.h"
#include "core/limits.h"
#include "core/rig.h"
#include "gltf_document.h"

namespace reanima::gltf {

/// The vertices of every mesh of a glTF file that its scene shows, with the joints that move them most. A mesh whose
/// vertices are compressed, sparse or damaged is left out: a rig needs none.
/// @param scene of the same file, without surfaces
/// @throws core::DecodeError of the kind `limit` if the vertices would exceed Limits::memory
[[nodiscard]] std::vector<core::SceneSurface> surfacesOf(Document& document, const core::Scene& scene,
                                                         const core::Limits& limits, core::Diagnostics& diagnostics);

}  // namespace reanima::gltf
