/// The page of `preview`, without what it shows: tools/reanima/preview_page.html, which the build makes a text.
#pragma once

#include <string_view>

namespace reanima::tool {

extern const std::string_view kPreviewTemplate;

}  // namespace reanima::tool
