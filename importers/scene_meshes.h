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

/// Adds the meshes of an asset, with its materials and embedded images (PNG files, `*0`, `*1`, ...), to a scene without
/// meshes. The caller creates the nodes. Each primitive becomes a mesh of triangles with the name of the whole mesh;
/// later ones get `-1`, `-2`, ... Corners do not share vertices. Vertices are baked into the rest pose, and each vertex
/// follows a single bone. Every joint is a bone of every mesh, with its inverse rest matrix. If the asset has no
/// normals, the triangles' normals are used.
/// @throws core::DecodeError of the kind `limit`, or for vertices that are too far away
[[nodiscard]] std::vector<SceneMesh> addMeshes(aiScene& scene, const core::Asset& asset, core::MemoryCount& memory);

}  // namespace reanima
