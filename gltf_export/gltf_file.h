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
    /// Adds a mesh of one octahedron per bone to an asset without meshes: makes it visible, and keeps optimisers from
    /// removing the skin.
    bool proxyMesh = false;
    /// Identifies the inputs of the file: written to scene.extras.reanima.key, with a hash of the file beside it.
    std::string contentKey{};
    /// 16-bit rotations, equal values stored once, and no extras except key and hash.
    bool compact = false;
    /// When clips are added to a file, its own animations are removed.
    bool replacesAnimations = false;
    /// The file is a VRM animation (`VRMC_vrm_animation` 1.0): joints are the humanoid bones of their roles. It has no
    /// skin.
    bool vrmAnimation = false;
};

/// An image beside a text file.
struct ImageFile {
    std::string name;
    core::ByteVector bytes;  ///< a PNG
};

/// A file that is ready to be written.
struct GltfFile {
    ByteBlocks bytes;
    ByteBlocks buffer{};              ///< of a text file: the file that it refers to
    std::vector<ImageFile> images{};  ///< of a text file: those of its materials
    /// The largest angle in degrees between a rotation key and its stored value; 0 unless the file is compact.
    double rotationError = 0;
    std::string hash{};             ///< stored in the file; empty if it has no content key
    std::size_t ownAnimations = 0;  ///< of the patched rig file, after those of the clips
};

/// A binary file. Here and below, a second thread encodes the images; it has ended before the function returns.
/// @throws as buildGltf() does, and std::invalid_argument for 4 GiB or more
[[nodiscard]] GltfFile makeGlbFile(const core::Asset& asset, const GltfOptions& options,
                                   const core::Limits& limits = {});
/// A text file and what it refers to: the buffer as `bufferName`, and images, named by its stem and their own names,
/// `<stem>_<image>.png`. @throws as buildGltf() does
[[nodiscard]] GltfFile makeGltfFile(const core::Asset& asset, const GltfOptions& options, const std::string& bufferName,
                                    const core::Limits& limits = {});

/// The names of the image files of such a text file, in the order of the asset's images.
[[nodiscard]] std::vector<std::string> imageFileNames(const core::Asset& asset, std::string_view bufferName);

/// A file name as a URI reference.
[[nodiscard]] std::string percentEncoded(std::string_view name);

/// The name of the buffer in a text file, and the extra `hash` of an image: a hash of the bytes, to detect changed
/// files.
[[nodiscard]] std::string bufferHash(core::Bytes buffer);

/// The same as contiguous bytes, which needs twice the memory for a moment.
[[nodiscard]] core::ByteVector writeGlb(const core::Asset& asset, const GltfOptions& options,
                                        const core::Limits& limits = {});
struct GltfPair {
    std::string json;
    core::ByteVector buffer;
    std::vector<ImageFile> images;
};
/// The same for makeGltfFile().
[[nodiscard]] GltfPair writeGltf(const core::Asset& asset, const GltfOptions& options, const std::string& bufferName,
                                 const core::Limits& limits = {});

}  // namespace reanima::gltf
