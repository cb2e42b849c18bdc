/// A battle pack in more or fewer frames.
#pragma once

#include "battle_animation.h"
#include "battle_skeleton.h"
#include "formats/retime.h"

namespace reanima::ff7 {

/// Every animation of a pack: that of a weapon together with the body's that it belongs to.
/// @param pack is changed
/// @return what is said of it, without its bytes
[[nodiscard]] RetimedFile retime(BattlePack& pack, const BattleSkeleton* skeleton, std::optional<std::uint32_t> bones,
                                 const RetimeSettings& settings);

}  // namespace reanima::ff7
