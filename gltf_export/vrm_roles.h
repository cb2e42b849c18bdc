/// Joint roles stated by VRM: for an avatar (.vrm) or its animations (.vrma).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gltf_export/gltf_document.h"

namespace reanima::gltf {

/// The roles stated by VRM 1.0, VRM 0.x or VRMC_vrm_animation, by their VRM 1.0 names. The list has an entry per node,
/// empty for nodes without a role. The list is empty if the file states no roles.
[[nodiscard]] std::vector<std::string> vrmRoles(const Document& document, const std::vector<std::uint32_t>& nodes);

}  // namespace reanima::gltf
