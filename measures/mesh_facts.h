/// Facts about meshes.
#pragma once

#include <cstddef>

#include "../core/asset.h"

namespace reanima::measures {

/// As stored: vertices with several sets of values are counted per set.
[[nodiscard]] std::size_t verticesOf(const core::Mesh& mesh);
/// Of all primitives.
[[nodiscard]] std::size_t trianglesOf(const core::Mesh& mesh);
/// Of all meshes.
[[nodiscard]] std::size_t trianglesOf(const core::Asset& asset);

}  // namespace reanima::measures
