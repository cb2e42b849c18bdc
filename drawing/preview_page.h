/// A page that plays what an input holds, in any browser and without a network.
#pragma once

#include <span>
#include <string>

#include "../core/limits.h"
#include "previewed.h"

namespace reanima::drawing {

/// One HTML file with everything in it: characters as the .glb that `convert` writes, videos as PNG pages.
/// @throws core::DecodeError of the kind `limit` if it takes more than Limits::memory
[[nodiscard]] std::string previewPage(const std::string& title, std::span<const Previewed> items,
                                      const core::Limits& limits);

}  // namespace reanima::drawing
