/// Writes the common model as glTF 2.0 files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "../core/asset.h"
#include "../core/bytes.h"
#include "../core/limits.h"
#include "byte_blocks.h"

namespace reanima::gltf {

struct GltfOptions {
    /// Adds a mesh of one octahedron per bone to an asset without meshes. The mesh makes the skeleton visible, and
    /// keeps optimisers from removing the skin.
    bool proxyMesh = false;
    /// Identifies the inputs of the file. Written to scene.extras.reanima.key; a hash of the file is written beside it.
    std::string contentKey{};
    /// 16-bit rotations, equal values stored once, and no extras except key and hash.
    bool compact = false;
    /// When clips are added to a file, they replace its animations.
    bool replacesAnimations = false;
    /// Writes a VRM animation (`VRMC_vrm_animation` 1.0): joints become humanoid bones by role. It has no skin.
    bool vrmAnimation = false;
};

/// An image beside a text file.
struct ImageFile {
    std::string name;
    core::ByteVector bytes;  ///< a PNG
};

/// A file that can be written.
struct GltfFile {
    ByteBlocks bytes;
    ByteBlocks buffer{};              ///< the buffer of a text file
    std::vector<ImageFile> images{};  ///< the images of a text file
    /// The largest angle in degrees between a rotation key and its stored value; 0 unless the file is compact.
    double rotationError = 0;
    std::string hash{};             ///< the hash stored in the file; empty without a content key
    std::size_t ownAnimations = 0;  ///< number of the rig file's own animations, which follow the clips
};

/// A binary file. Here and below, a second thread encodes the images and ends before the function returns.
/// @throws std::invalid_argument for an invalid asset, and for 4 GiB or more
/// @throws core::DecodeError for vertices that are too far away; of the kind `limit` if asset and file together exceed
/// Limits::memory
[[nodiscard]] GltfFile makeGlbFile(const core::Asset& asset, const GltfOptions& options,
                                   const core::Limits& limits = {});
/// A text file with its buffer and images. The buffer's file is called `bufferName`. Images are called
/// `<stem>_<image>.png`: the stem of `bufferName`, and the image's name. @throws as makeGlbFile() does
[[nodiscard]] GltfFile makeGltfFile(const core::Asset& asset, const GltfOptions& options, const std::string& bufferName,
                                    const core::Limits& limits = {});

/// The names of a text file's image files, in the order of the asset's images.
[[nodiscard]] std::vector<std::string> imageFileNames(const core::Asset& asset, std::string_view bufferName);

/// A file name as a URI reference.
[[nodiscard]] std::string percentEncoded(std::string_view name);
/// `a%20b` -> `a b`. Invalid escapes stay.
[[nodiscard]] std::string percentDecoded(std::string_view uri);

/// A hash of bytes, to detect changed files. It becomes the name of a text file's buffer, and the value of an image's
/// extra `hash`.
[[nodiscard]] std::string bufferHash(core::Bytes buffer);

/// Like makeGlbFile(), with contiguous bytes. Briefly needs twice the memory.
[[nodiscard]] core::ByteVector writeGlb(const core::Asset& asset, const GltfOptions& options,
                                        const core::Limits& limits = {});
struct GltfPair {
    std::string json;
    core::ByteVector buffer;
    std::vector<ImageFile> images;
};
/// Like makeGltfFile(), with contiguous bytes.
[[nodiscard]] GltfPair writeGltf(const core::Asset& asset, const GltfOptions& options, const std::string& bufferName,
                                 const core::Limits& limits = {});

}  // namespace reanima::gltf
