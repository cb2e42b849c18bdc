/// Scenes of other programs as .glb files.
#pragma once

#include "../core/bytes.h"
#include "../core/limits.h"
#include "../core/scene_content.h"

namespace reanima::gltf {

/// The scene as a .glb. Its nodes have the indices that they have in the scene; meshes with bones get nodes of their
/// own after them, at the top of the scene, since where those hang means nothing in glTF.
/// @throws core::DecodeError of the kind `limit` if it takes more than Limits::memory
[[nodiscard]] core::ByteVector makeSceneFile(const core::SceneContent& content, const core::Limits& limits);

}  // namespace reanima::gltf
