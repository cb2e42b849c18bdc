/// Meshes, materials, pictures and animations of scenes that Assimp reads.
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

/// The content of a scene. Lengths are converted to metres like the nodes' lengths. Vertices keep their four largest
/// weights; a note counts vertices with more. Pictures, embedded or beside the scene, are copied if they are PNG or
/// JPEG files. Pictures of other kinds that readPictureFile() supports become PNGs, up to a total of eight times
/// Limits::picturePixels. A warning names the rest.
/// @param nodes the same scene's nodes
/// @param files opens files that the scene refers to
/// @throws core::DecodeError of the kind `limit` if the total exceeds Limits::memory
[[nodiscard]] core::SceneContent contentOf(const aiScene& scene, const SceneNodes& nodes, RigIOSystem& files,
                                           const core::Limits& limits, core::Diagnostics& diagnostics);

/// The animations of a scene, key by key. Keys that are not later than the previous one are left out.
/// @throws core::DecodeError of the kind `limit` if they need more than Limits::memory
[[nodiscard]] std::vector<core::SceneMotion> motionsOf(const aiScene& scene, const SceneNodes& nodes,
                                                       const core::Limits& limits);

}  // namespace reanima
