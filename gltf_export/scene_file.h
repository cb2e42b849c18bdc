/// Scenes of other programs as .glb files.
#pragma once

#include "../core/bytes.h"
#include "../core/limits.h"
#include "../core/scene_content.h"

namespace reanima::gltf {

/// The scene as a .glb. Its nodes keep their indices. Meshes with bones get separate nodes after these, at the top of
/// the scene, since glTF ignores parents of such meshes.
/// @throws core::DecodeError of the kind `limit` if it needs more than Limits::memory
[[nodiscard]] core::ByteVector makeSceneFile(const core::SceneContent& content, const core::Limits& limits);

}  // namespace reanima::gltf
