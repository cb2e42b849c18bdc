/// Changes the number of frames of a battle pack.
#pragma once

#include "battle_animation.h"
#include "battle_skeleton.h"
#include "formats/retime.h"

namespace reanima::ff7 {

/// Retimes every animation of a pack, weapon animations together with their body animations.
/// @param pack the pack to change
/// @return the report, without bytes
[[nodiscard]] RetimedFile retime(BattlePack& pack, const BattleSkeleton* skeleton, std::optional<std::uint32_t> bones,
                                 const RetimeSettings& settings);

}  // namespace reanima::ff7
