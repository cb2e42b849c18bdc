/// The registry's rows for Metroid Prime and Metroid Prime 2: Echoes.
#pragma once

namespace reanima {
struct Format;
}

namespace reanima::metroid {

extern const Format kAnimation;
extern const Format kSkeleton;
extern const Format kEvents;

}  // namespace reanima::metroid
