/// Motion files of other programs as inputs, by one rule for every host.
///
/// Formats of the registry take precedence. Other files that begin like glTF, BVH, FBX, Collada or an animation of
/// Memoria are sources if they contain a skeleton and an animation. This library reads BVH and Memoria's animations;
/// the host reads the others.
#pragma once

#include "../formats/input.h"

namespace reanima {

/// Prepares an input without a format so that its motion can be read, if another program wrote it. Its format becomes a
/// row outside the registry, named `gltf`, `bvh`, `memoria`, `fbx` or `collada`. Other inputs stay unchanged. Loading
/// checks the content.
/// @param readOther the host's reader for all files except BVH and Memoria's; may be empty
void asSource(Input& input, const MotionReader& readOther);

/// The format row of Memoria's animations.
[[nodiscard]] const Format& memoriaFormat();

/// True for formats that the host reads through Assimp. Their files may contain meshes.
[[nodiscard]] bool isReadThroughAssimp(const Format& format);

}  // namespace reanima
