/// Reads back the extras of animations in files that this program wrote.
#pragma once

#include <optional>

#include "core/rig.h"
#include "gltf_document.h"

namespace reanima::gltf {

/// The extras of an animation, see core::factsOf(). Empty for extras of other programs, and if they no longer fit the
/// keys, which another program may have changed.
/// @param seconds until the last key
[[nodiscard]] std::optional<core::StatedClip> statedClipOf(const Field& animation, double seconds);

}  // namespace reanima::gltf
