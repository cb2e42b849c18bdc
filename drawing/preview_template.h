/// The page of `preview`, without what it shows: drawing/preview_page.html, which the build makes a text.
#pragma once

#include <string_view>

namespace reanima::drawing {

extern const std::string_view kPreviewTemplate;

}  // namespace reanima::drawing
