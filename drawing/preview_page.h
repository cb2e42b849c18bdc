/// A page that plays an input's content in any browser, without a network.
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
    std::uint64_t mostBytes = 20'000'000;  ///< limit for a page in one file; larger pages have parts
    std::string folder;                    ///< name of the folder beside the page that contains its parts
};

/// A script that a page loads on demand.
struct PagePart {
    std::string name;  ///< name of the file in the folder
    std::string text;
};

/// An HTML file with all its data: characters as the packed .glb of `convert`, and videos as PNG pages. Data that
/// several characters share is stored once. The page's policy forbids all requests except for its parts.
struct PreviewPage {
    std::string html;
    std::vector<PagePart> parts;  ///< empty: the page is one file
};

/// @param step is called after each item; may be empty
/// @throws core::DecodeError of the kind `limit` if the page needs more than Limits::memory
[[nodiscard]] PreviewPage previewPage(const PageOptions& options, std::span<const Previewed> items,
                                      const core::Limits& limits, const std::function<void()>& step = {});

}  // namespace reanima::drawing
