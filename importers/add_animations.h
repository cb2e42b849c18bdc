/// Adds a game's clips to a character that an engine has already loaded.
#pragma once

#include <filesystem>
#include <string>

#include <assimp/scene.h>

#include "../pipeline/pipeline.h"

namespace reanima {

/// Binds the clips of a game's file to the skeleton of a scene and adds them to the scene's animations. The new
/// animations come last, in the order of the file, with one channel per joint that at least one of them moves. Their
/// names are made unique in the scene (`walk.2`). rigOf() describes which nodes are joints. Carried joints without a
/// counterpart in the scene, such as weapons, get a node. Everything else in the scene stays unchanged. The new
/// animations are in the scene's own units.
/// @param scene made by hand, or from an Assimp::Importer (GetOrphanedScene(), or const_cast while the importer lives)
/// @param settings as for loadFile(); `rig` is replaced by the scene's skeleton
/// @return the loaded and bound file: its asset contains the added clips
/// @throws core::DecodeError, without changes to the scene, if the file can't be read or contains no animation, the
/// scene has no skeleton, or no joint matches
LoadedFile addAnimationsTo(aiScene& scene, const std::filesystem::path& file, Settings settings = {});

/// Like addAnimationsTo() above, for a file in memory. See loadBytes().
LoadedFile addAnimationsTo(aiScene& scene, core::ByteVector bytes, const std::string& name, Settings settings = {},
                           const Companions& given = {});

}  // namespace reanima
