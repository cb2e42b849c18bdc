/// The colours of every picture.
#pragma once

#include "pictures/picture.h"

namespace reanima::drawing {

inline constexpr pictures::Rgba kPaper = {250, 250, 248, 255};
inline constexpr pictures::Rgba kInk = {40, 40, 40, 255};
inline constexpr pictures::Rgba kFaint = {130, 130, 130, 255};

}  // namespace reanima::drawing
