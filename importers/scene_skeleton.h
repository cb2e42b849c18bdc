/// Skeletons out of whatever Assimp reads.
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

/// What makes a rig of a scene.
struct SceneNodes {
    core::Scene scene;
    std::vector<const aiNode*> nodes;                        ///< depth first: what Scene::nodes were made of
    std::unordered_map<std::string, std::uint32_t> indexOf;  ///< of names; of equal ones the first
    double metresPerUnit = 1;
};

/// @see rigOf()
[[nodiscard]] SceneNodes nodesOf(const aiScene& scene, const std::string& name, core::Diagnostics& diagnostics);

/// The skeleton of a scene; Rig::nodes count the scene's nodes depth first. Which nodes are joints, and where the rest
/// pose comes from: see core::makeRig(); every mesh with bones is a skin, whose bind matrices are the inverses of the
/// bones' offset matrices. Assimp lists only the bones that move a vertex, so nodes below a bone are joints, too,
/// unless a mesh hangs on them.
///
/// Lengths become metres where the scene states its unit (FBX: UnitScaleFactor, in centimetres), with a note; else
/// they stay as they are. Axes stay as the scene has them: its root node turns them where the format says how.
/// @param name what the skeleton is called if nothing in the scene lends its name
/// @throws core::DecodeError if the scene holds no skeleton that a motion can be bound to
[[nodiscard]] core::Rig rigOf(const aiScene& scene, const std::string& name, core::Diagnostics& diagnostics);
/// The same.
[[nodiscard]] core::Rig rigOf(const SceneNodes& nodes, core::Diagnostics& diagnostics);

/// Assimp misreads the rest poses of some files. Where a bone is farther from every vertex that it moves than 0.6 of
/// the diagonal of all meshes' box, the bind pose can't be right: of 30 characters, none has a bone beyond 0.24, and
/// the corner of a box is 0.5 from its middle.
/// @param rig made of the nodes
/// @param path of the file, for its kind
/// @throws core::DecodeError that says so, and that Blender may read the file
void requireCredibleRest(const core::Rig& rig, const SceneNodes& nodes, std::string_view path);

/// How a file is read.
struct SceneReading {
    Assimp::IOSystem* io = nullptr;     ///< that all files are read through; null: Assimp's own
    MemoriaReading* memoria = nullptr;  ///< of a model of Memoria: see standMemoriaModel(); null: by the file's name
};

/// Reads a file for rigOf(): FBX pivots are folded into the nodes, polygons become triangles, equal corners of polygons
/// one vertex, and the root node of an FBX file turns the axes that the file states: right to +X, up to +Y, front to
/// +Z. A model of Memoria is put upright: see standMemoriaModel(). Errors and warnings name the file.
/// @param use is called with the scene, which is gone afterwards, and what opens the files that it names
/// @throws core::DecodeError if Assimp can't read the file
void openScene(const std::string& path, core::Diagnostics& diagnostics, const SceneReading& reading,
               const std::function<void(const aiScene& scene, RigIOSystem& files)>& use);

/// The skeleton of a file. FBX pivots are folded into the nodes. Errors and warnings name the file.
/// @param io that all files are read through; null: Assimp's own
/// @throws core::DecodeError if Assimp can't read the file
[[nodiscard]] core::Rig readSceneRig(const std::string& path, core::Diagnostics& diagnostics,
                                     Assimp::IOSystem* io = nullptr);

}  // namespace reanima
