/// Facts about meshes.
#pragma once

#include <cstddef>

#include "../core/asset.h"

namespace reanima::measures {

/// The number of stored vertices. A vertex with several sets of values is counted once for each set.
[[nodiscard]] std::size_t verticesOf(const core::Mesh& mesh);
/// The number of triangles of all primitives.
[[nodiscard]] std::size_t trianglesOf(const core::Mesh& mesh);
/// The number of triangles of all meshes.
[[nodiscard]] std::size_t trianglesOf(const core::Asset& asset);

}  // namespace reanima::measures
