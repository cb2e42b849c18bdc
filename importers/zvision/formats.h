/// The registry's rows for the ZVision engine.
#pragma once

#include "../format.h"

namespace reanima::zvision {

extern const Format kRlf;

}  // namespace reanima::zvision
