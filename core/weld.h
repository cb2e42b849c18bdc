/// Vertices that triangles share.
#pragma once

#include "mesh.h"

namespace reanima::core {

/// The same triangles, in which vertices whose attributes are all equal became one: in the order of their first use,
/// without those that no triangle uses.
/// @param primitive whose indices are in range, and each list of attributes empty or one per vertex
[[nodiscard]] Primitive withSharedVertices(const Primitive& primitive);

}  // namespace reanima::core
