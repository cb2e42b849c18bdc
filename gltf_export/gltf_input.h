/// Input glTF files: their bytes, and access to the files that they refer to.
#pragma once

#include <string>

#include "../core/bytes.h"
#include "../core/files.h"

namespace reanima::gltf {

/// A choice among the files that a .glb or .gltf refers to.
enum class Beside { buffers, buffersAndPictures };

/// A .glb or .gltf.
struct GltfInput {
    core::Bytes bytes;
    std::string name;         ///< its name in messages
    core::Siblings beside{};  ///< finds the files that a .gltf refers to; empty: all data must be inside
};

}  // namespace reanima::gltf
