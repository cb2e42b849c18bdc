/// The registry's rows for Final Fantasy IX.
#pragma once

#include "../format.h"

namespace reanima::ff9 {

extern const Format kAnimation;
extern const Format kModel;
extern const Format kContainer;

}  // namespace reanima::ff9
