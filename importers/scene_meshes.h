/// Meshes, materials and images of the common model as parts of an Assimp scene.
#pragma once

#include <string>
#include <vector>

#include <assimp/scene.h>

#include "core/asset.h"
#include "core/memory.h"

namespace reanima {

/// The meshes of a scene for one mesh of the common model.
struct SceneMesh {
    std::string name;
    std::vector<unsigned> parts;  ///< indices into aiScene::mMeshes, one per primitive
};

/// Gives a scene without meshes those of an asset, with its materials and embedded images (PNG files, `*0`, `*1`, ...).
/// The caller creates the nodes.
///
/// Each primitive becomes a mesh of triangles, named like the whole, from the second one on with `-1`, `-2`, ...;
/// corners do not share vertices. Vertices are baked into the rest pose and follow one bone each; every joint is a bone
/// of every mesh, with the inverse of its matrix at rest. Without normals in the asset, those of the triangles are
/// used.
/// @throws core::DecodeError of the kind `limit`, or for vertices that are too far away
[[nodiscard]] std::vector<SceneMesh> addMeshes(aiScene& scene, const core::Asset& asset, core::MemoryCount& memory);

}  // namespace reanima
