/// glTF files as they are read: their bytes, and how the files are found that they refer to.
#pragma once

#include <string>

#include "../core/bytes.h"
#include "../core/files.h"

namespace reanima::gltf {

/// Which of the files that a .glb or .gltf refers to.
enum class Beside { buffers, buffersAndPictures };

/// A .glb or .gltf.
struct GltfInput {
    core::Bytes bytes;
    std::string name;         ///< what messages call it
    core::Siblings beside{};  ///< where the files are that a .gltf refers to; empty: everything must be inside
};

}  // namespace reanima::gltf
