/// The interface of the module `reanima_rigs`, which reads files through Assimp. Programs start faster without Assimp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/diagnostics.h"
#include "core/limits.h"
#include "core/rig.h"
#include "core/scene_content.h"
#include "core/scene_motion.h"
#include "core/text.h"

namespace reanima {

/// The X direction of a Memoria model, which its file does not state: see importers/memoria_scene.h.
enum class MemoriaReading {
    unknown,   ///< decided by the file's name
    raw,       ///< the game's own
    mirrored,  ///< with X negated
};

struct RigsModule {
    const char* version;  ///< the library's version; must equal the program's, since C++ values are exchanged
    /// @see readSceneRig()
    /// @param reading how to read a model of Memoria. If unknown, it is set from the file's name. Other files leave it
    /// unchanged
    /// @param content null, or receives the other content of the scene: see contentOf()
    core::Rig (*read)(const std::string& path, MemoriaReading& reading, const core::Limits& limits,
                      core::SceneContent* content, core::Diagnostics& diagnostics);
    /// Reads the nodes and all animations of a file.
    /// @throws core::DecodeError
    core::MovingScene (*readMotion)(const std::string& path, const core::Limits& limits,
                                    core::Diagnostics& diagnostics);
};

/// The end of an error about a file that Assimp can't read correctly: `; Blender reads more FBX files: ...`.
[[nodiscard]] inline std::string throughBlender(std::string_view path) {
    return (core::extensionOf(path) == "fbx" ? "; Blender reads more FBX files" : "; if Blender reads it") +
           std::string(": import it there, export a .glb (File > Export > glTF 2.0), and use the .glb");
}

inline constexpr const char* kRigsModule = "reanima_rigs";
/// The name of the only exported function of the module.
inline constexpr const char* kRigsModuleFunction = "reanimaRigsModule";
using RigsModuleFunction = const RigsModule* (*)();

}  // namespace reanima
