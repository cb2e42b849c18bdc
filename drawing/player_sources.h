/// The page of `preview` without its content: files of drawing/player/, embedded by the build.
#pragma once

#include <string_view>

namespace reanima::drawing {

/// The page with the placeholders @POLICY@, @STYLE@, @SCRIPT@, @DATA@ and @BLOCKS@.
extern const std::string_view kPlayerPage;
extern const std::string_view kPlayerStyle;
extern const std::string_view kPlayerScript;

}  // namespace reanima::drawing
