/// The registry's rows for Final Fantasy VII.
#pragma once

#include <span>

namespace reanima {
struct Format;
struct OtherFile;
}  // namespace reanima

namespace reanima::ff7 {

extern const Format kBattleAnimation;
extern const Format kBattleSkeleton;
/// Textures, geometry and scripts that lie beside the animations.
[[nodiscard]] std::span<const OtherFile> otherFiles();

}  // namespace reanima::ff7
