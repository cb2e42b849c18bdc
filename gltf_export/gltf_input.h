/// glTF files as they are read: their bytes, and how the files are found that they refer to.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "../core/bytes.h"

namespace reanima::gltf {

/// Gives the bytes of a file that a .gltf refers to, by its path relative to that; empty where there is none.
using ExternalFile = std::function<std::optional<core::ByteVector>(std::string_view path)>;

/// Which of the files that a .glb or .gltf refers to.
enum class Beside { buffers, buffersAndPictures };

/// A .glb or .gltf.
struct GltfInput {
    core::Bytes bytes;
    std::string name;         ///< what messages call it
    ExternalFile external{};  ///< null: everything must be inside
};

}  // namespace reanima::gltf
