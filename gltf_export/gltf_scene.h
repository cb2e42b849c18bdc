/// The nodes of glTF files, and what binds meshes to them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/diagnostics.h"
#include "core/rig.h"
#include "gltf_document.h"

namespace reanima::gltf {

/// What a channel of an animation changes of a node.
struct ChannelTarget {
    std::uint32_t node = 0;
    std::string path;  ///< `rotation`; of a pointer what follows the node: `extensions/KHR_node_visibility/visible`
    bool isPointer = false;  ///< KHR_animation_pointer says it
};

/// @return nothing where a channel is none of a node's
/// @throws core::DecodeError for a node that is not there
[[nodiscard]] std::optional<ChannelTarget> targetOf(const Field& channel, std::size_t nodes);

/// The scene of a document, without surfaces.
/// @param name what the skeleton is called if nothing lends its name
/// @throws core::DecodeError for what is no tree, names what is not there, or requires extensions that are not known
[[nodiscard]] core::Scene readScene(Document& document, const std::string& name, core::Diagnostics& diagnostics);

}  // namespace reanima::gltf
