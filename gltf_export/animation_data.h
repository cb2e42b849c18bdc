/// The data that only the animations of a glTF file use.
#pragma once

#include <cstdint>
#include <vector>

#include "gltf_document.h"

namespace reanima::gltf {

/// Indices in ascending order.
struct AnimationData {
    std::vector<std::uint32_t> accessors;
    std::vector<std::uint32_t> views;  ///< buffer views of those accessors alone
};

/// What is of no use once the animations are gone. Nothing in a file with extensions that may use accessors or buffer
/// views in places that are not known here.
/// @throws core::DecodeError for what names accessors or views that are not there
[[nodiscard]] AnimationData dataOfAnimations(const Field& root);

}  // namespace reanima::gltf
