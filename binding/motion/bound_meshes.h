/// Carries meshes from one skeleton to another that their clips are bound to.
#pragma once

#include <vector>

#include "bind.h"
#include "core/asset.h"

namespace reanima::motion {

using namespace core;

/// The meshes of an asset on the target's joints: where the target stands in the pose that corresponds to the source's
/// reference, every vertex lies beside its joint as in the source, by the scale. A vertex of a joint that none of the
/// target follows goes with the nearest one above it that is followed, or with the first that is. Lifts become part of
/// the positions.
/// @param asset with a skeleton: the binding's source, at its own rest pose
/// @param target as bindClips() takes it; joints are those of BoundMotion::skeleton
[[nodiscard]] std::vector<Mesh> bindMeshes(const Asset& asset, const Skeleton& target, const Binding& binding);

}  // namespace reanima::motion
