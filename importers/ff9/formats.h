/// The registry's rows for Final Fantasy IX.
#pragma once

namespace reanima {
struct Format;
}

namespace reanima::ff9 {

extern const Format kAnimation;
extern const Format kModel;
extern const Format kContainer;

}  // namespace reanima::ff9
