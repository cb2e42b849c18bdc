/// The skeletons that clips are bound to.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gltf_export/gltf_input.h"
#include "options.h"
#include "pipeline/settings.h"

namespace reanima::tool {

/// The skeleton that clips are bound to, and the file that it comes from.
struct Target {
    std::shared_ptr<const core::Rig> rig;
    File file;  ///< its bytes, only if the clips are written into it: those of a .glb or .gltf
    std::string path;
    bool isGltf = false;         ///< the file itself is a .glb or .gltf
    bool leavesOwnMesh = false;  ///< as RigOfFile has it
    std::vector<File> beside;    ///< what is used of the same folder: a pack for the rest pose; buffers, and pictures
    core::Diagnostics diagnostics;
};

/// The target's file for gltf_export; it finds what is in Target::beside.
[[nodiscard]] gltf::GltfInput asGltfInput(const Target& target);

enum class RigFile {
    read,  ///< its bytes are not kept
    kept,  ///< those of a glTF file will be written, with its pictures, and what else another one shows as a .glb
};

/// @param input what -s names
/// @throws core::DecodeError
[[nodiscard]] Target readTarget(const InputOptions& options, Input input, RigFile file);

}  // namespace reanima::tool
