/// Motion of other programs as inputs: the one rule that says what is such a file, for every host.
///
/// A file that a format of the registry claims is read by that. Another one that begins like a glTF, BVH, FBX or
/// Collada file, or an animation of Memoria, is a source if it holds a skeleton and an animation. BVH and Memoria's are
/// read here; all others by what the host has.
#pragma once

#include "../formats/input.h"

namespace reanima {

/// Makes an input of a file that no format claims one whose motion can be read, if it is another program's: its format
/// is then a row that is not in the registry, called `gltf`, `bvh`, `memoria`, `fbx` or `collada`. Any other input
/// stays as it is. What is in the file shows when it is loaded.
/// @param readOther what the host reads other files than BVH and Memoria's with; may be empty
void asSource(Input& input, const MotionReader& readOther);

}  // namespace reanima
