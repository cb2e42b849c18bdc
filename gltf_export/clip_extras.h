/// Reads back the extras of animations in files that this program wrote.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/rig.h"
#include "core/scene_motion.h"
#include "gltf_document.h"

namespace reanima::gltf {

/// The extras of an animation, see core::factsOf(). Empty for extras of other programs. Also empty if the extras do not
/// fit the keys, since another program may have changed the keys.
/// @param seconds the time of the last key
[[nodiscard]] std::optional<core::StatedClip> statedClipOf(const Field& animation, double seconds);

/// The origins of clips by clip name, from the extras of animations and scenes. Extras of other programs are skipped.
[[nodiscard]] std::map<std::string, core::ClipSource> clipSourcesOf(const Field& root);

}  // namespace reanima::gltf
