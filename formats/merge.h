/// Merges the assets of several files, and completes every asset.
#pragma once

#include <vector>

#include "../core/asset.h"
#include "../core/limits.h"

namespace reanima {

/// Merges assets that share a skeleton. Joints that only some clips need, such as weapons, are added. Assets that have
/// neither a skeleton nor pictures add nothing.
/// @throws DecodeError that names the inputs whose skeletons differ; of the kind `limit` if the total is too large
[[nodiscard]] core::Asset merge(std::vector<core::Asset> assets, const core::Limits& limits);

/// Moves vertices to the joints that take them from their parents: Joint::takesVertices.
void giveVertices(core::Asset& asset);

/// @throws DecodeError of the kind `limit` if an asset needs more memory than is left
void requireMemoryFor(const core::Asset& asset, const core::Limits& limits);

}  // namespace reanima
