/// A mesh that shows a skeleton: one octahedron per bone.
#pragma once

#include "asset.h"

namespace reanima::core {

/// The skeleton as a character whose mesh, called `<skeleton>_proxy`, has an octahedron from every joint to the end of
/// its bone, or to each child where the end is not known; a small one where neither is. It has no clips.
[[nodiscard]] Asset makeProxyCharacter(const Skeleton& skeleton);

}  // namespace reanima::core
