/// The interface between the two libraries of the drop-in. `reanima_preload.so` only needs the C library. It is loaded
/// into every program that `reanima-run` starts, and into the child processes of these programs. When a program makes
/// its first Assimp::Importer, the library opens `reanima_dropin.so`, which is linked with Assimp and adds the loaders.
#pragma once

namespace reanima {

/// The functions of the module. They never throw.
struct DropinModule {
    /// Adds a loader per format to an Assimp::Importer, before the existing ones. Adds none if memory runs out.
    void (*addLoaders)(void* importer);
    /// The aiImporterDesc of a loader that lists an extension, in lower case and without dot. Null if no loader does.
    const void* (*describe)(const char* extension);
};

inline constexpr const char* kDropinPreload = "reanima_preload.so";
inline constexpr const char* kDropinModule = "reanima_dropin.so";
/// The one function that the module exports.
inline constexpr const char* kDropinModuleFunction = "reanimaDropinModule";
using DropinModuleFunction = const DropinModule* (*)();

}  // namespace reanima
