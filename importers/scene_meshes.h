/// Meshes, materials and images of the common model as parts of an Assimp scene.
#pragma once

#include <string>
#include <vector>

#include <assimp/scene.h>

#include "core/asset.h"
#include "core/memory.h"

namespace reanima {

/// The meshes of a scene that stand for one of the common model.
struct SceneMesh {
    std::string name;
    std::vector<unsigned> parts;  ///< indices into aiScene::mMeshes, one per primitive
};

/// Gives a scene without meshes those of an asset, with its materials and embedded images (PNG files, `*0`, `*1`, ...).
/// Nodes are the caller's business.
///
/// Each primitive becomes a mesh of triangles, called like the whole, from the second one on with `-1`, `-2`, ...;
/// every corner has a vertex of its own. Vertices are baked into the rest pose and follow one bone each; every joint is
/// a bone of every mesh, with the inverse of its matrix at rest. Normals are the triangles' own where the asset has
/// none.
/// @throws core::DecodeError of the kind `limit`, or for vertices that lie too far away
[[nodiscard]] std::vector<SceneMesh> addMeshes(aiScene& scene, const core::Asset& asset, core::MemoryCount& memory);

}  // namespace reanima
