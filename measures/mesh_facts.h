/// What a person wants to know of meshes.
#pragma once

#include <cstddef>

#include "../core/asset.h"

namespace reanima::measures {

/// As stored: a vertex counts once for each set of values that it has.
[[nodiscard]] std::size_t verticesOf(const core::Mesh& mesh);
/// Of all primitives.
[[nodiscard]] std::size_t trianglesOf(const core::Mesh& mesh);
/// Of all meshes.
[[nodiscard]] std::size_t trianglesOf(const core::Asset& asset);

}  // namespace reanima::measures
