/// What a file that this program wrote says of its animations, read back.
#pragma once

#include <optional>

#include "core/rig.h"
#include "gltf_document.h"

namespace reanima::gltf {

/// The extras of an animation, see core::factsOf(). Extras are anyone's: nothing for any others, and where they don't
/// fit the keys, which another program may have changed.
/// @param seconds to the last key
[[nodiscard]] std::optional<core::StatedClip> statedClipOf(const Field& animation, double seconds);

}  // namespace reanima::gltf
