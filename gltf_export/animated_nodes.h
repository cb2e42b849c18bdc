/// The nodes of a glTF file that animations move.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "animation_builder.h"
#include "core/clip.h"
#include "gltf_document.h"
#include "gltf_skeleton.h"

namespace reanima::gltf {

/// The node of a joint, in the file or added at the end of its nodes.
/// @param nodes number of nodes in the file
[[nodiscard]] std::size_t nodeOfJoint(const Rig& rig, std::size_t nodes, std::size_t joint);

/// The translation, rotation and scale of a node.
[[nodiscard]] core::Transform partsOf(const Field& node);

/// For every joint of the rig, the properties that clips must set. These are properties that the clips or the file's
/// animations move, and properties whose rest value differs from the node's. For joints in a skin, the rotation is
/// always one of them.
/// @param root the file's root object
[[nodiscard]] std::vector<AnimatedNode> animatedNodes(const Field& root, const Rig& rig,
                                                      std::span<const core::Clip> clips);

/// The node for root motion, above all moving joints. Empty if no clip has root motion.
/// @param animated animatedNodes()
/// @throws core::DecodeError if there is no such node
[[nodiscard]] std::optional<WholeNode> rootMotionNode(const Field& root, const Rig& rig,
                                                      std::span<const core::Clip> clips,
                                                      const std::vector<AnimatedNode>& animated);

}  // namespace reanima::gltf
