/// A game's clips on a character that an engine has loaded already.
#pragma once

#include <filesystem>
#include <string>

#include <assimp/scene.h>

#include "../pipeline/pipeline.h"

namespace reanima {

/// Binds the clips of a game's file to the skeleton of a scene and adds them to the scene's animations: at its end, in
/// the order of the file, one channel per joint that any of them moves. Which nodes are joints, see rigOf(). Joints
/// that no joint of the scene stands for but that are carried, such as weapons, get a node. Nothing else of the scene
/// changes. Clips stay in the scene's own units.
/// @param scene from an Assimp::Importer (GetOrphanedScene(), or const_cast while the importer lives) or made by hand
/// @param settings as for loadFile(); `rig` is replaced by the scene's skeleton
/// @return what was loaded, bound: its asset holds the clips that were added
/// @throws core::DecodeError if the file can't be read, the scene holds no skeleton, or no joint matches; the scene is
/// as it was then
LoadedFile addAnimationsTo(aiScene& scene, const std::filesystem::path& file, Settings settings = {});

/// The same for a file in memory. See loadBytes().
LoadedFile addAnimationsTo(aiScene& scene, core::ByteVector bytes, const std::string& name, Settings settings = {},
                           const Companions& given = {});

}  // namespace reanima
