/// Transfers meshes to the skeleton that their clips are bound to.
#pragma once

#include <vector>

#include "bind.h"
#include "core/asset.h"

namespace reanima::motion {

using namespace core;

/// The meshes of an asset on the target's joints. In the target's pose that corresponds to the source's reference pose,
/// every vertex has the same offset from its joint as in the source, times the scale. If no target joint follows a
/// vertex's joint, the vertex moves with the nearest followed ancestor, else with the first followed joint. Lifts
/// become part of the positions.
/// @param asset with a skeleton: the binding's source, at its own rest pose
/// @param target as for bindClips(); joint indices are those of BoundMotion::skeleton
[[nodiscard]] std::vector<Mesh> bindMeshes(const Asset& asset, const Skeleton& target, const Binding& binding);

}  // namespace reanima::motion
