/// Skeletons of scenes that Assimp reads.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <assimp/IOSystem.hpp>
#include <assimp/scene.h>

#include "core/rig.h"
#include "importers/rig_io.h"
#include "pipeline/rigs_module.h"

namespace reanima {

/// The input for making a rig from a scene.
struct SceneNodes {
    core::Scene scene;
    std::vector<const aiNode*> nodes;                        ///< depth first, in the order of Scene::nodes
    std::unordered_map<std::string, std::uint32_t> indexOf;  ///< index of a node by name; of equal names, the first
    double metresPerUnit = 1;
};

/// @see rigOf()
[[nodiscard]] SceneNodes nodesOf(const aiScene& scene, const std::string& name, core::Diagnostics& diagnostics);

/// The skeleton of a scene. Rig::nodes are indices of the scene's nodes, depth first. core::makeRig() describes which
/// nodes are joints and where the rest pose comes from. Every mesh with bones is a skin; its bind matrices are the
/// inverses of the bones' offset matrices. Assimp lists only the bones that move a vertex, so nodes below a bone are
/// joints, too, unless they carry a mesh.
///
/// Lengths are converted to metres if the scene states its unit (FBX: UnitScaleFactor, in centimetres), with a note.
/// Axes stay unchanged: the scene's root node rotates them if the format states them.
/// @param name name of the skeleton if the scene has none
/// @throws core::DecodeError if the scene has no skeleton for binding motion
[[nodiscard]] core::Rig rigOf(const aiScene& scene, const std::string& name, core::Diagnostics& diagnostics);
/// Like rigOf() above, for the result of nodesOf().
[[nodiscard]] core::Rig rigOf(const SceneNodes& nodes, core::Diagnostics& diagnostics);

/// Assimp misreads the rest poses of some files. The bind pose is wrong if a bone is farther from all of its vertices
/// than 0.6 of the diagonal of the meshes' bounding box. In 30 characters no bone exceeds 0.24. A box's corner is 0.5
/// from its centre.
/// @param rig the rig that was made of the nodes
/// @param path the file's path; the extension shows which other program may read the file
/// @throws core::DecodeError that suggests Blender, if the bind pose is wrong
void requireCredibleRest(const core::Rig& rig, const SceneNodes& nodes, std::string_view path);

/// How a file is read.
struct SceneReading {
    Assimp::IOSystem* io = nullptr;  ///< used to read all files; null: Assimp's own
    MemoriaReading* memoria =
        nullptr;  ///< result for a model of Memoria: see standMemoriaModel(); null: by the file's name
};

/// Reads a file for rigOf():
/// * FBX pivots are merged into the nodes
/// * polygons become triangles; equal corners of polygons become one vertex
/// * the root node of an FBX file rotates the axes that the file states, so that right is +X, up +Y and front +Z
/// * a model of Memoria is put upright: see standMemoriaModel()
/// Errors and warnings name the file.
/// @param use is called with the scene and a function that opens the scene's files; then the scene is destroyed
/// @throws core::DecodeError if Assimp can't read the file
void openScene(const std::string& path, core::Diagnostics& diagnostics, const SceneReading& reading,
               const std::function<void(const aiScene& scene, RigIOSystem& files)>& use);

/// The skeleton of a file. FBX pivots are merged into the nodes. Errors and warnings name the file.
/// @param io used to read all files; null: Assimp's own
/// @throws core::DecodeError if Assimp can't read the file
[[nodiscard]] core::Rig readSceneRig(const std::string& path, core::Diagnostics& diagnostics,
                                     Assimp::IOSystem* io = nullptr);

}  // namespace reanima
