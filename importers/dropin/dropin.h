/// The interface between the two libraries of the drop-in.
///
/// `reanima_preload.so` is loaded into every program that `reanima-run` starts, and their children: it only needs the C
/// library. When a program makes its first Assimp::Importer, it opens `reanima_dropin.so` beside it, which is linked
/// with Assimp and adds the loaders.
#pragma once

namespace reanima {

/// The functions of the module. They never throw.
struct DropinModule {
    /// Adds a loader per format to an Assimp::Importer, before the existing ones. None is added if memory runs out.
    void (*addLoaders)(void* importer);
    /// The aiImporterDesc of a loader that lists an extension, in lower case and without dot; null if none does.
    const void* (*describe)(const char* extension);
};

inline constexpr const char* kDropinPreload = "reanima_preload.so";
inline constexpr const char* kDropinModule = "reanima_dropin.so";
/// The one function that the module exports.
inline constexpr const char* kDropinModuleFunction = "reanimaDropinModule";
using DropinModuleFunction = const DropinModule* (*)();

}  // namespace reanima
