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

/// The skeleton that clips are bound to, and its file.
struct Target {
    std::shared_ptr<const core::Rig> rig;
    File file;  ///< a .glb or .gltf; its bytes are only kept if clips are written into it
    std::string path;
    bool isGltf = false;         ///< the file is a .glb or .gltf
    bool leavesOwnMesh = false;  ///< see RigOfFile
    std::vector<File> beside;    ///< files used from the same folder: a pack for the rest pose, buffers, pictures
    core::Diagnostics diagnostics;
};

/// The target's file for gltf_export, which can then also read Target::beside.
[[nodiscard]] gltf::GltfInput asGltfInput(const Target& target);

enum class RigFile {
    read,   ///< the bytes are dropped
    drawn,  ///< the bytes are dropped, but the appearance of a glTF file is read
    kept,   ///< the bytes of a glTF file and its pictures are kept; other files are converted to a .glb
};

/// @param input the file named by -s
/// @throws core::DecodeError
[[nodiscard]] Target readTarget(const InputOptions& options, Input input, RigFile file);

/// Makes an input the target of its own clips: the output then keeps the other content of the input. The input must
/// have meshes, and be a glTF file or a file that Assimp reads.
/// @param skeleton final skeleton of the clips
/// @param looks whether the input is drawn
/// @return empty for other files. Also empty, with a warning, if `skeleton` differs from the file's skeleton in more
/// than new joints at its end
/// @throws core::DecodeError
[[nodiscard]] std::optional<Target> ownTarget(const Input& input, const core::Skeleton& skeleton,
                                              const core::Limits& limits, core::Diagnostics& diagnostics,
                                              gltf::Looks looks);

}  // namespace reanima::tool
