/// What a .glb or .gltf that `convert` made says about where its clips come from.
#pragma once

#include <map>
#include <string>

#include "core/bytes.h"

namespace reanima::tool {

/// The files of the game that clips come from, by the names of the clips, as the extras of scenes and animations say;
/// nothing for a file without them: programs may leave them out.
/// @param bytes of a sound .glb or .gltf
[[nodiscard]] std::map<std::string, std::string> clipSourcesOf(core::Bytes bytes);

}  // namespace reanima::tool
