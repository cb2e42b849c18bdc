/// A sequence of pictures as an Assimp scene.
#pragma once

#include <assimp/scene.h>

#include "core/image_sequence.h"
#include "core/memory.h"
#include "scene_builder.h"

namespace reanima {

/// @see fillScene()
void fillFlipbook(aiScene& scene, const core::ImageSequence& images, const SceneOptions& options,
                  core::MemoryCount& memory);

}  // namespace reanima
