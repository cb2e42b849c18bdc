/// What a preview shows.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "../core/asset.h"
#include "../core/bytes.h"
#include "../core/limits.h"
#include "view.h"

namespace reanima::drawing {

/// How a joint is coloured.
enum class BodySide : std::uint8_t { middle, left, right, weapon };

/// A character with its clips, or a video.
struct Previewed {
    std::string name;
    std::string path;  ///< where it lies, as the user would name it
    core::Asset asset;
    std::vector<BodySide> sides;  ///< per joint
    View front;                   ///< from where a character's face is seen
    /// Makes the .glb that a page holds, of the asset or of a copy; empty: it has what is in the asset, and no more.
    std::function<core::ByteVector(const core::Asset&, const core::Limits&)> file{};
};

/// @param anatomy what the joints are for, as far as it is known
[[nodiscard]] Previewed previewOf(std::string name, std::string path, core::Asset asset, const roles::Anatomy& anatomy);

}  // namespace reanima::drawing
