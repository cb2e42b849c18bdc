/// A mesh that shows a skeleton: one octahedron per bone.
#pragma once

#include "asset.h"

namespace reanima::core {

/// A character without clips whose mesh, `<skeleton>_proxy`, shows the skeleton. An octahedron leads from every joint
/// to the end of its bone, or to each child if the end is not known. A joint without either gets a small octahedron.
[[nodiscard]] Asset makeProxyCharacter(const Skeleton& skeleton);

}  // namespace reanima::core
