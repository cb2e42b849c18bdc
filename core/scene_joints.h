/// Which nodes of a scene are the joints of its skeleton.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diagnostics.h"
#include "rig.h"

namespace reanima::core {

/// Index of a scene's node.
using NodeIndex = std::uint32_t;

/// The nodes of a scene that were chosen.
struct SceneJoints {
    std::vector<bool> isJoint;            ///< per node: whether it is a joint
    std::vector<const SceneSkin*> skins;  ///< the skins of the skeleton
    std::optional<NodeIndex> container;   ///< the node above the joints that was left out
};

/// Indices of the nodes, parents first. @throws DecodeError if nodes are cyclic
[[nodiscard]] std::vector<NodeIndex> nodesParentsFirst(const Scene& scene);

/// The joints by the rules of makeRig().
/// @param order nodesParentsFirst()
/// @throws DecodeError if the scene's skins list no joints
[[nodiscard]] SceneJoints chooseJoints(const Scene& scene, const std::vector<NodeIndex>& order,
                                       Diagnostics& diagnostics);

/// The largest distance between columns of two matrices.
[[nodiscard]] double largestDifference(const glm::dmat4& a, const glm::dmat4& b);

/// Up to five names in quotes, and the number of the others.
[[nodiscard]] std::string quotedNames(const std::vector<std::string>& names);

}  // namespace reanima::core
