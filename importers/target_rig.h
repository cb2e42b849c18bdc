/// Rigs of other programs that clips are bound to.
#pragma once

#include <memory>

#include <assimp/IOSystem.hpp>

#include "pipeline/character_files.h"
#include "pipeline/settings.h"

namespace reanima {

/// The skeleton of a file: a game's own, a .glb or .gltf, or any file that Assimp reads. All files are read through
/// `io`. Errors and warnings name the file.
/// @param settings used to read a game's own file
/// @param files searched for the pose of a game's skeleton
/// @throws core::DecodeError if it can't be read or has no skeleton
[[nodiscard]] std::shared_ptr<const core::Rig> readTargetRig(Assimp::IOSystem& io, const Input& file,
                                                             const Settings& settings, CharacterFiles& files,
                                                             core::Diagnostics& diagnostics);

}  // namespace reanima
