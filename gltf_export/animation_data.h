/// The data that only the animations of a glTF file use.
#pragma once

#include <cstdint>
#include <vector>

#include "gltf_document.h"

namespace reanima::gltf {

/// Indices in ascending order.
struct AnimationData {
    std::vector<std::uint32_t> accessors;
    std::vector<std::uint32_t> views;  ///< buffer views that only those accessors use
};

/// Data that becomes unused if the animations are removed. Empty for a file with unknown extensions, which may use
/// accessors or buffer views.
/// @throws core::DecodeError for a reference to an accessor or view that does not exist
[[nodiscard]] AnimationData dataOfAnimations(const Field& root);

}  // namespace reanima::gltf
