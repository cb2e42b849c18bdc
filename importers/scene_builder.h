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
    /// For an asset without meshes a stand-in of one octahedron per bone, since most clients refuse scenes without
    /// meshes. Without it the scene is marked AI_SCENE_FLAGS_INCOMPLETE.
    bool skeletonMesh = true;
    /// Of a sequence of pictures this one alone, without animation; negative: all.
    int onlyPicture = -1;
    /// What the asset and the scene may take together.
    core::Limits limits{};
    /// Asked now and then; true ends the work.
    std::function<bool()> cancelled{};
    /// Told which share of the scene is done, 0 to 1; may be empty.
    std::function<void(double)> progress{};
};

/// Fills an empty scene with the nodes of the asset's skeleton, its meshes (see addMeshes()), each on a node below the
/// root, and an animation per clip.
///
/// A tick is a frame of the source. Every node of the skeleton has a channel in every animation, with at least one
/// position, rotation and scaling key; names are unique; an animation lasts until its last key, one of a single frame
/// for one tick. What aiAnimation has no place for is scene metadata: `reanima.clip.<i>.<field>`.
///
/// Pictures become quads `frame0000`, ..., textured from embedded PNG pages. A tick is then the unit of the sequence's
/// rate; an animation scales each quad between 0 and 1, with a key just before each change for readers that
/// interpolate.
/// @param asset with a skeleton, meshes or a video
/// @throws core::DecodeError if there is no such picture, a vertex lies too far away, the scene would exceed the
/// limits, or the work is cancelled
void fillScene(aiScene& scene, const core::Asset& asset, const SceneOptions& options,
               const core::Diagnostics& diagnostics);

}  // namespace reanima
