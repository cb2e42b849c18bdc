/// The nodes and skins of glTF files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/diagnostics.h"
#include "core/rig.h"
#include "gltf_document.h"

namespace reanima::gltf {

/// The node property that an animation channel changes.
struct ChannelTarget {
    std::uint32_t node = 0;
    std::string path;  ///< `rotation`; for a pointer, the part after the node: `extensions/KHR_node_visibility/visible`
    bool isPointer = false;  ///< from KHR_animation_pointer
};

/// @return empty if a channel does not target a node
/// @throws core::DecodeError for a missing node
[[nodiscard]] std::optional<ChannelTarget> targetOf(const Field& channel, std::size_t nodes);

/// The scene of a document, without surfaces.
/// @param name name of the skeleton if the file has none
/// @throws core::DecodeError for cyclic nodes, wrong indices, or unknown required extensions
[[nodiscard]] core::Scene readScene(Document& document, const std::string& name, core::Diagnostics& diagnostics);

}  // namespace reanima::gltf
