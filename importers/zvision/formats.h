/// The registry's rows for the ZVision engine.
#pragma once

namespace reanima {
struct Format;
}

namespace reanima::zvision {

extern const Format kRlf;

}  // namespace reanima::zvision
