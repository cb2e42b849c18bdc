/// What the two libraries of the drop-in agree on.
///
/// `reanima_preload.so` is loaded into every program that `reanima-run` starts, and their children: it needs nothing
/// but the C library. When a program makes its first Assimp::Importer, it opens `reanima_dropin.so`, which lies beside
/// it, is linked with Assimp, and adds the loaders.
#pragma once

namespace reanima {

/// What the module offers. Nothing here throws.
struct DropinModule {
    /// Adds a loader per format to an Assimp::Importer, in front of those that are there.
    /// None is added where memory runs out.
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
