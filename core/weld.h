/// Merges equal vertices.
#pragma once

#include "mesh.h"

namespace reanima::core {

/// The same triangles with vertices of equal attributes merged: in the order of their first use, without unused ones.
/// @param primitive whose indices are in range, and each list of attributes empty or one per vertex
[[nodiscard]] Primitive withSharedVertices(const Primitive& primitive);

}  // namespace reanima::core
