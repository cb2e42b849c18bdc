/// What a .glb or .gltf that `convert` made says about where its clips come from.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/bytes.h"

namespace reanima::tool {

struct ClipSource {
    std::string file;                    ///< of the game, by its name
    std::optional<std::uint32_t> index;  ///< of the clip in it
    std::optional<double> rate;          ///< frames per second
};

/// Where clips come from, by the names of the clips, as the extras of scenes and animations say;
/// nothing for a file without them: programs may leave them out.
/// @param bytes of a sound .glb or .gltf
[[nodiscard]] std::map<std::string, ClipSource> clipSourcesOf(core::Bytes bytes);

/// `run` of `run.001`: programs number names that they have already. None of a name without a number.
[[nodiscard]] std::optional<std::string> withoutNumber(const std::string& clip);

/// Where a clip comes from; null if nothing tells. Of `run.001`, what is said of `run` tells.
[[nodiscard]] const ClipSource* sourceOf(const std::string& clip, const std::map<std::string, ClipSource>& sources);

}  // namespace reanima::tool
