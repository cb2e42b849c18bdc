/// The origin of clips, as stored in a .glb or .gltf by `convert`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/bytes.h"

namespace reanima::tool {

struct ClipSource {
    std::string file;                    ///< name of the game's file
    std::optional<std::uint32_t> index;  ///< index of the clip in the file
    std::optional<double> rate;          ///< frames per second
};

/// Origins of clips by clip name, from the extras of scenes and animations. Empty without these extras, which some
/// programs drop.
/// @param bytes a valid .glb or .gltf
[[nodiscard]] std::map<std::string, ClipSource> clipSourcesOf(core::Bytes bytes);

/// `run` of `run.001`: some programs add such numbers to duplicate names. Empty for a name without a number.
[[nodiscard]] std::optional<std::string> withoutNumber(const std::string& clip);

/// The origin of a clip. Null if unknown. `run.001` has the origin of `run`.
[[nodiscard]] const ClipSource* sourceOf(const std::string& clip, const std::map<std::string, ClipSource>& sources);

}  // namespace reanima::tool
