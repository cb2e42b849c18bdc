/// The common model as an Assimp scene.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <assimp/scene.h>

#include "core/asset.h"
#include "core/diagnostics.h"
#include "core/limits.h"

namespace reanima {

struct SceneOptions {
    /// Adds a stand-in mesh of one octahedron per bone to an asset without meshes, since most clients reject scenes
    /// without meshes. If this is false, such a scene is marked AI_SCENE_FLAGS_INCOMPLETE.
    bool skeletonMesh = true;
    /// Only this picture of a sequence, without animation. Negative: all pictures.
    int onlyPicture = -1;
    /// Limits for the asset and the scene together.
    core::Limits limits{};
    /// Called repeatedly. Returning true stops the work.
    std::function<bool()> cancelled{};
    /// Receives the finished share of the scene, 0 to 1. May be empty.
    std::function<void(double)> progress{};
};

/// Fills an empty scene: the nodes of the asset's skeleton, its meshes (see addMeshes()) on nodes below the root, and
/// an animation per clip.
///
/// A tick is a frame of the source. Every node of the skeleton has a channel in every animation, with at least one
/// position, rotation and scaling key. Names are unique. An animation lasts until its last key; a single frame lasts
/// one tick. Values that aiAnimation can't store become scene metadata: `reanima.clip.<i>.<field>`.
///
/// Pictures become quads `frame0000`, ..., textured from embedded PNG pages. There are then at least 10,000 ticks per
/// second, and every picture begins at a whole tick. An animation switches the scale of each quad between 0 and 1.
/// For readers that interpolate, there is another key just before each change.
/// @param asset must contain a skeleton, meshes or a video
/// @throws core::DecodeError if there is no such picture, a vertex is too far away, the scene would exceed the limits,
/// or the work is cancelled
void fillScene(aiScene& scene, const core::Asset& asset, const SceneOptions& options,
               const core::Diagnostics& diagnostics);

}  // namespace reanima
