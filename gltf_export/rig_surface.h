/// The surface of a character: the vertices of the meshes that follow its joints.
#pragma once

#include <vector>

#include "core/diagnostics.h"
#include "core/limits.h"
#include "core/rig.h"
#include "gltf_document.h"
#include "gltf_skeleton.h"

namespace reanima::gltf {

/// The vertices of all meshes in a glTF file's scene, with the joints that move them most. Compressed, sparse and
/// damaged meshes are left out, since a rig needs no mesh.
/// @param scene the same file's scene, without surfaces
/// @param looks whether to read texture coordinates, colours and materials, too
/// @throws core::DecodeError of the kind `limit` if the vertices would exceed Limits::memory
[[nodiscard]] std::vector<core::SceneSurface> surfacesOf(Document& document, const core::Scene& scene,
                                                         const core::Limits& limits, core::Diagnostics& diagnostics,
                                                         Looks looks);

}  // namespace reanima::gltf
