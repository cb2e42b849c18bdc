/// The skeletons that clips are bound to.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gltf_export/gltf_input.h"
#include "gltf_export/gltf_skeleton.h"
#include "options.h"
#include "pipeline/settings.h"

namespace reanima::tool {

/// The skeleton that clips are bound to, and the file that it comes from.
struct Target {
    std::shared_ptr<const core::Rig> rig;
    File file;  ///< its bytes, kept only if clips are written into it: a .glb or .gltf
    std::string path;
    bool isGltf = false;         ///< the file itself is a .glb or .gltf
    bool leavesOwnMesh = false;  ///< see RigOfFile
    std::vector<File> beside;    ///< files used from the same folder: a pack for the rest pose; buffers and pictures
    core::Diagnostics diagnostics;
};

/// The target's file for gltf_export, with access to Target::beside.
[[nodiscard]] gltf::GltfInput asGltfInput(const Target& target);

enum class RigFile {
    read,   ///< the bytes are dropped
    drawn,  ///< the same; of a glTF file the looks are read, too
    kept,   ///< the bytes of a glTF file are kept with its pictures; other files are kept as a .glb
};

/// @param input the file named by -s
/// @throws core::DecodeError
[[nodiscard]] Target readTarget(const InputOptions& options, Input input, RigFile file);

/// An input with meshes that is a glTF file, or one that Assimp reads and that becomes one, as the target of its own
/// clips: an output keeps what is in it.
/// @param skeleton that the clips move in the end
/// @param looks whether it will be drawn here
/// @return nothing for another file, or where the skeleton is no longer the file's, with a warning; joints at its end
/// may be new
/// @throws core::DecodeError
[[nodiscard]] std::optional<Target> ownTarget(const Input& input, const core::Skeleton& skeleton,
                                              const core::Limits& limits, core::Diagnostics& diagnostics,
                                              gltf::Looks looks);

}  // namespace reanima::tool
