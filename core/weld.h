/// Merges equal vertices.
#pragma once

#include "mesh.h"

namespace reanima::core {

/// Returns the triangles, with vertices of equal attributes merged. Vertices are in the order of their first use;
/// unused ones are removed.
/// @param primitive its indices are in range; each list of attributes is empty or has one element per vertex
[[nodiscard]] Primitive withSharedVertices(const Primitive& primitive);

}  // namespace reanima::core
