/// BVH: motion captures as text, a hierarchy of joints and a line of numbers per frame.
#pragma once

#include <string>

#include "core/bytes.h"
#include "core/diagnostics.h"
#include "core/limits.h"
#include "core/scene_motion.h"

namespace reanima {

/// True if a file begins like one.
[[nodiscard]] bool isBvh(core::Bytes bytes);

/// The joints of a BVH file as nodes, in the pose in which all angles are 0, and its frames as an animation. End sites
/// are nodes called `EndSite_` and the name of their joint. Lengths stay in the file's unit, which it does not state.
///
/// Channels turn in the order in which they are listed, each about an axis of what the ones before it made. A place
/// takes the place of the offset. Lines may end in any way; keywords may be written in upper or lower case. Fewer or
/// more frames than announced give a warning (`truncated`, `trailing-bytes`). Errors and warnings name the line.
/// @param name of the file
/// @throws core::DecodeError if the file can't be read
[[nodiscard]] core::MovingScene readBvh(core::Bytes bytes, const std::string& name, const core::Limits& limits,
                                        core::Diagnostics& diagnostics);

}  // namespace reanima
