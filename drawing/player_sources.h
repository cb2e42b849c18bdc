/// The page of `preview` without what it shows: files of drawing/player/, which the build makes texts.
#pragma once

#include <string_view>

namespace reanima::drawing {

/// With @POLICY@, @STYLE@, @SCRIPT@, @DATA@ and @BLOCKS@ where these go.
extern const std::string_view kPlayerPage;
extern const std::string_view kPlayerStyle;
extern const std::string_view kPlayerScript;

}  // namespace reanima::drawing
