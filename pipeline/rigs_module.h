/// What the module `reanima_rigs` offers: the skeletons of files that Assimp reads, for programs that start without
/// Assimp.
#pragma once

#include <string>

#include "core/diagnostics.h"
#include "core/rig.h"

namespace reanima {

struct RigsModule {
    const char* version;  ///< of the library; C++ values are exchanged, so it must be the program's own
    /// @see readSceneRig()
    core::Rig (*read)(const std::string& path, core::Diagnostics& diagnostics);
};

inline constexpr const char* kRigsModule = "reanima_rigs";
/// The name of the one function that the module exports.
inline constexpr const char* kRigsModuleFunction = "reanimaRigsModule";
using RigsModuleFunction = const RigsModule* (*)();

}  // namespace reanima
