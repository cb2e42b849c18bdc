/// The files that `convert` writes: a .glb, a .gltf with its buffer and images, or a .png.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/asset.h"
#include "gltf_export/gltf_file.h"
#include "tools/reanima/front/binding.h"

namespace reanima::tool {

[[nodiscard]] bool isTextGltf(const std::filesystem::path& output);

/// The files of an output that are known in advance: itself, and the buffer of a .gltf. Empty for standard output.
[[nodiscard]] std::vector<std::filesystem::path> filesOf(const std::filesystem::path& output);

/// The paths of the images of a .gltf.
[[nodiscard]] std::vector<std::filesystem::path> imagePathsOf(const std::filesystem::path& output,
                                                              const gltf::GltfFile& file);

/// The name of the buffer of a .gltf. Empty for other outputs.
[[nodiscard]] std::string bufferNameOf(const std::filesystem::path& output);

/// True for an asset with one image and nothing else: its output is a .png.
[[nodiscard]] bool isPicture(const core::Asset& asset);

/// The content of an output with this name.
/// @throws as gltf::makeGlbFile() does
[[nodiscard]] gltf::GltfFile fileFor(const std::filesystem::path& output, const core::Asset& asset,
                                     const gltf::GltfOptions& options, const core::Limits& limits);

/// The file of a rig with the clips that were bound to it: a .glb, or a .gltf if its buffer has a name.
/// @param target a target whose file was kept
/// @return a file that refers to the target's bytes
/// @throws as gltf::addAnimations() does
[[nodiscard]] gltf::GltfFile fileOnRig(const Target& target, const core::Asset& asset, const gltf::GltfOptions& options,
                                       const core::Limits& limits, core::Diagnostics& diagnostics,
                                       const std::string& bufferName = {});

/// Writes an output. It appears whole or not at all.
/// @return size in bytes
/// @throws OutputError
std::uint64_t writeFile(const std::filesystem::path& output, gltf::GltfFile file);

}  // namespace reanima::tool
