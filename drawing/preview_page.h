/// A page that plays what an input holds, in any browser and without a network.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "../core/limits.h"
#include "previewed.h"

namespace reanima::drawing {

struct PageOptions {
    std::string title;
    std::uint64_t mostBytes = 20'000'000;  ///< of a page in one file; what is larger has parts
    std::string folder;                    ///< where the page looks for its parts: the name of a folder beside it
};

/// A script that a page loads when it needs what is in it.
struct PagePart {
    std::string name;  ///< of the file in the folder
    std::string text;
};

/// An HTML file with everything in it: characters as the .glb that `convert` writes, packed, and videos as PNG pages.
/// What several characters have in common is there once. The page allows itself no request but its parts.
struct PreviewPage {
    std::string html;
    std::vector<PagePart> parts;  ///< empty: the page is one file
};

/// @param step is called after each item; may be empty
/// @throws core::DecodeError of the kind `limit` if it takes more than Limits::memory
[[nodiscard]] PreviewPage previewPage(const PageOptions& options, std::span<const Previewed> items,
                                      const core::Limits& limits, const std::function<void()>& step = {});

}  // namespace reanima::drawing
