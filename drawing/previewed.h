/// The content of a preview.
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
    std::string path;  ///< path for the user
    core::Asset asset;
    std::vector<BodySide> sides;  ///< per joint
    View front;                   ///< view of the character from the front
    /// Makes the page's .glb from the asset or a copy. Empty: the .glb contains only the asset.
    std::function<core::ByteVector(const core::Asset&, const core::Limits&)> file{};
};

/// @param anatomy known roles of the joints
[[nodiscard]] Previewed previewOf(std::string name, std::string path, core::Asset asset, const roles::Anatomy& anatomy);

}  // namespace reanima::drawing
