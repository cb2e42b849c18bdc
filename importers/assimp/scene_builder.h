/// The common model as an Assimp scene.
#pragma once

#include <string>
#include <vector>

#include <assimp/scene.h>

#include "../../core/asset.h"
#include "../../core/diagnostics.h"

namespace reanima {

struct SceneOptions {
    /// A stand-in mesh of one octahedron per bone, since most clients refuse scenes without meshes. Without it the scene
    /// is marked AI_SCENE_FLAGS_INCOMPLETE.
    bool skeletonMesh = true;
};

/// Fills an empty scene with the nodes of the asset's skeleton and an animation per clip.
///
/// A tick is a frame of the source. Every node of the skeleton has a channel in every animation, with at least one
/// position, rotation and scaling key; names are unique; an animation lasts until its last key, one of a single frame
/// for one tick. What aiAnimation has no place for is scene metadata: `reanima.clip.<i>.<field>`.
void fillScene(aiScene& scene, const core::Asset& asset, const SceneOptions& options,
               const core::Diagnostics& diagnostics);

}  // namespace reanima
