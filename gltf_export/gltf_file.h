/// The common model as the bytes of glTF 2.0 files.
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
    /// Adds a mesh of one octahedron per bone to an asset without meshes: something to see, and a reason for optimisers
    /// to keep the skin.
    bool proxyMesh = false;
    /// Goes into scene.extras.reanima.key: what the file was made from. A hash of the file stands beside it then.
    std::string contentKey{};
    /// Rotations in 16 bits a component, values that are equal stored once, and no extras but key and hash.
    bool compact = false;
    /// The file is a VRM animation (`VRMC_vrm_animation` 1.0): joints are the humanoid's bones that their roles name.
    /// It has no skin.
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
    /// The largest angle in degrees between a rotation key and what is stored for it; 0 unless the file is compact.
    double rotationError = 0;
    std::string hash{};  ///< that the file holds of itself; empty if it has no content key
};

/// A binary file. Here and below, a second thread encodes the images; it has ended before the function returns.
/// @throws as buildGltf() does, and std::invalid_argument for 4 GiB or more
[[nodiscard]] GltfFile makeGlbFile(const core::Asset& asset, const GltfOptions& options,
                                   const core::Limits& limits = {});
/// A text file and what it refers to: the buffer as `bufferName`, and images that are called after its stem and
/// themselves, `<stem>_<image>.png`. @throws as buildGltf() does
[[nodiscard]] GltfFile makeGltfFile(const core::Asset& asset, const GltfOptions& options, const std::string& bufferName,
                                    const core::Limits& limits = {});

/// The names of the image files of such a text file, in the order of the asset's images.
[[nodiscard]] std::vector<std::string> imageFileNames(const core::Asset& asset, std::string_view bufferName);

/// A file name as a URI reference.
[[nodiscard]] std::string percentEncoded(std::string_view name);

/// The name of the buffer in a text file, and the extra `hash` of an image: a hash of the bytes, by which a changed
/// file is noticed.
[[nodiscard]] std::string bufferHash(core::Bytes buffer);

/// The same as bytes that lie one after the other: they are held twice for a moment.
[[nodiscard]] core::ByteVector writeGlb(const core::Asset& asset, const GltfOptions& options,
                                        const core::Limits& limits = {});
struct GltfPair {
    std::string json;
    core::ByteVector buffer;
    std::vector<ImageFile> images;
};
/// The same of makeGltfFile().
[[nodiscard]] GltfPair writeGltf(const core::Asset& asset, const GltfOptions& options, const std::string& bufferName,
                                 const core::Limits& limits = {});

}  // namespace reanima::gltf
