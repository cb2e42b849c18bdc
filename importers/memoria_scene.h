/// Models of Memoria, the engine of Final Fantasy IX on the PC: FBX files in the game's own space, which their headers
/// do not state.
///
/// The game's space is left-handed with Y down. Characters face -Z, their soles are at y = 0, and 256 units are a
/// metre. The engine uses the numbers of a file unchanged. Two conventions are in use, and their files look alike:
///
/// | reading | the file's places and rotations | written by |
/// |---|---|---|
/// | raw | the game's own | modders, for the engine |
/// | mirrored | (-x, y, z) and (x, -y, -z, w) of the game's | exporters of Unity's files, as `NAME (merge).fbx` |
/// Evidence: the engine's source (Assembly-CSharp, FbxDocument.cs to ModelImporter.cs), and 19 models of nine heroes,
/// compared with the game's clips: docs/outputs.md.
#pragma once

#include <string_view>

#include <assimp/scene.h>

#include "core/diagnostics.h"
#include "pipeline/rigs_module.h"

namespace reanima {

/// Converts a model of Memoria to the common model's space: upright, facing +Z, its left at +X, in metres (1/256 m per
/// unit of the game), with joint rotations that match the game's clips. Transforms above the topmost joint `bone000`
/// are merged into it, as in the engine. Other scenes stay unchanged: those without joints `bone000`, `bone001` and so
/// on below one topmost `bone000`, and those that are not upside down.
/// @param path the file's path; its name determines the reading if nothing else does
/// @param diagnostics receives a note if the reading is assumed
/// @return how it was read; unknown if it is not a model of Memoria
MemoriaReading standMemoriaModel(aiScene& scene, std::string_view path, MemoriaReading reading,
                                 core::Diagnostics& diagnostics);

}  // namespace reanima
