/// Skeletons out of whatever Assimp reads.
#pragma once

#include <string>

#include <assimp/IOSystem.hpp>
#include <assimp/scene.h>

#include "core/rig.h"

namespace reanima {

/// The skeleton of a scene; Rig::nodes count the scene's nodes depth first. Which nodes are joints, and where the rest
/// pose comes from: see core::makeRig(); every mesh with bones is a skin, whose bind matrices are the inverses of the
/// bones' offset matrices. Assimp lists only the bones that move a vertex, so nodes below a bone are joints, too,
/// unless a mesh hangs on them.
///
/// Lengths become metres where the scene states its unit (FBX: UnitScaleFactor, in centimetres), with a note; else
/// they stay as they are. Axes stay as Assimp delivers them: its root node turns them where the format says how.
/// @param name what the skeleton is called if nothing in the scene lends its name
/// @throws core::DecodeError if the scene holds no skeleton that a motion can be bound to
[[nodiscard]] core::Rig rigOf(const aiScene& scene, const std::string& name, core::Diagnostics& diagnostics);

/// The skeleton of a file. FBX pivots are folded into the nodes. Errors and warnings name the file.
/// @param io that all files are read through; null: Assimp's own
/// @throws core::DecodeError if Assimp can't read the file
[[nodiscard]] core::Rig readSceneRig(const std::string& path, core::Diagnostics& diagnostics,
                                     Assimp::IOSystem* io = nullptr);

}  // namespace reanima
