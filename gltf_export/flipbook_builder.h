/// A sequence of pictures as a tinygltf model.
#pragma once

#include <tiny_gltf.h>

#include "../core/image_sequence.h"
#include "gltf_file.h"

namespace reanima::gltf {

/// @see buildModel()
[[nodiscard]] tinygltf::Model buildFlipbook(const core::ImageSequence& images, const GltfOptions& options);

}  // namespace reanima::gltf
