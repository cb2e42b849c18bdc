/// Meshes, materials, pictures and animations out of whatever Assimp reads.
#pragma once

#include <vector>

#include <assimp/scene.h>

#include "core/diagnostics.h"
#include "core/limits.h"
#include "core/scene_content.h"
#include "core/scene_motion.h"
#include "importers/rig_io.h"
#include "importers/scene_skeleton.h"

namespace reanima {

/// Lengths become metres as those of the nodes do. Vertices keep their four largest weights, with a note. Pictures,
/// embedded or beside the scene, are taken as they are where they are PNG or JPEG files; those of other kinds that
/// readPictureFile() reads become PNGs, at most eight times Limits::picturePixels together; a warning names the others.
/// @param nodes of the same scene
/// @param files opens what the scene names
/// @throws core::DecodeError of the kind `limit` if all that takes more than Limits::memory
[[nodiscard]] core::SceneContent contentOf(const aiScene& scene, const SceneNodes& nodes, RigIOSystem& files,
                                           const core::Limits& limits, core::Diagnostics& diagnostics);

/// The animations of a scene, key by key. Keys that don't come after the one before are left out.
/// @throws core::DecodeError of the kind `limit` if they take more than Limits::memory
[[nodiscard]] std::vector<core::SceneMotion> motionsOf(const aiScene& scene, const SceneNodes& nodes,
                                                       const core::Limits& limits);

}  // namespace reanima
