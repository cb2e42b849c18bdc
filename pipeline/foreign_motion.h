/// Motion files of other programs as inputs, with one rule for every host.
///
/// Formats of the registry take precedence. Other files that begin like glTF, BVH, FBX, Collada or an animation of
/// Memoria are sources if they contain a skeleton and an animation. BVH and Memoria's are read here, the others by the
/// host.
#pragma once

#include "../formats/input.h"

namespace reanima {

/// Prepares an input that no format claims for reading its motion, if it is another program's file: its format becomes
/// a row outside the registry, named `gltf`, `bvh`, `memoria`, `fbx` or `collada`. Other inputs stay unchanged. The
/// content is checked when it is loaded.
/// @param readOther the host's reader for files other than BVH and Memoria's; may be empty
void asSource(Input& input, const MotionReader& readOther);

/// True for the rows that the host reads through Assimp, whose files may hold meshes.
[[nodiscard]] bool isReadThroughAssimp(const Format& format);

}  // namespace reanima
