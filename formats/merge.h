/// Joins what several files became, and what every asset is brought to.
#pragma once

#include <vector>

#include "../core/asset.h"
#include "../core/limits.h"

namespace reanima {

/// Joins assets whose skeletons are the same (joints that only some clips need, such as weapons, are added).
/// Assets without skeleton and pictures add nothing.
/// @throws DecodeError that says which inputs differ; of the kind `limit` if they are too many together
[[nodiscard]] core::Asset merge(std::vector<core::Asset> assets, const core::Limits& limits);

/// Puts vertices on the joints that take them from their parents.
void giveVertices(core::Asset& asset);

/// @throws DecodeError of the kind `limit` if an asset takes more memory than is left
void requireMemoryFor(const core::Asset& asset, const core::Limits& limits);

}  // namespace reanima
