/// What joints are for, as VRM states it: of an avatar (.vrm) or an animation for such (.vrma).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gltf_export/gltf_document.h"

namespace reanima::gltf {

/// The roles that VRM states, of its version 1.0 or 0.x or of VRMC_vrm_animation, in the words of 1.0: one for each of
/// the nodes, empty for those without; none if the file states no roles.
[[nodiscard]] std::vector<std::string> vrmRoles(const Document& document, const std::vector<std::uint32_t>& nodes);

}  // namespace reanima::gltf
