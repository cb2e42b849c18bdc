/// A sequence of pictures as an Assimp scene.
#pragma once

#include <assimp/scene.h>

#include "../../core/image_sequence.h"
#include "scene_builder.h"

namespace reanima {

/// @see fillScene(); the scene has its metadata object already
void fillFlipbook(aiScene& scene, const core::ImageSequence& images, const SceneOptions& options);

}  // namespace reanima
