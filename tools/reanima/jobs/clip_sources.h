/// The origin of clips, as stored in a .glb or .gltf by `convert`.
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

/// Origins of clips by clip name, from the extras of scenes and animations; empty if the file has none, since programs
/// may drop them.
/// @param bytes of a valid .glb or .gltf
[[nodiscard]] std::map<std::string, ClipSource> clipSourcesOf(core::Bytes bytes);

/// `run` of `run.001`: programs number duplicate names. None for a name without a number.
[[nodiscard]] std::optional<std::string> withoutNumber(const std::string& clip);

/// The origin of a clip; null if unknown. For `run.001` that of `run` is used.
[[nodiscard]] const ClipSource* sourceOf(const std::string& clip, const std::map<std::string, ClipSource>& sources);

}  // namespace reanima::tool
