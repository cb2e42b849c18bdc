/// A sequence of pictures as a glTF file.
#pragma once

#include "core/image_sequence.h"
#include "gltf_builder.h"

namespace reanima::gltf {

/// @see buildGltf()
[[nodiscard]] GltfParts buildFlipbook(const core::ImageSequence& images, const GltfOptions& options,
                                      const std::string& uri, const core::Limits& limits);

}  // namespace reanima::gltf
