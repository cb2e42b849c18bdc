/// Changed clips in a battle pack.
#pragma once

#include <span>

#include "battle_animation.h"
#include "battle_clips.h"
#include "battle_skeleton.h"
#include "core/asset.h"
#include "core/clip_edits.h"
#include "formats/edited_asset.h"

namespace reanima::ff7 {

/// Puts changed frames into a pack. A body's animation takes its weapon's along when its length changes.
/// @param clips that toAsset() made of the pack with these settings
/// @return what the pack can't hold: places of joints other than the root, scales
[[nodiscard]] std::vector<std::string> applyEdits(BattlePack& pack, const BattleSkeleton* skeleton,
                                                  const ClipSettings& settings, const core::Asset& original,
                                                  std::span<const core::ClipEdit> edits,
                                                  core::Diagnostics& diagnostics);

/// Animations of one frame, in which no bone is turned.
/// @param places of body animations, each once; between them are special blocks of no bytes, and so on to the number of
/// animations that the skeleton states
/// @param withWeapon each gets one of the weapon beside it
/// @param keyBits one of kKeyBits, for all
/// @throws core::DecodeError if a weapon's would have no place after the body's
[[nodiscard]] BattlePack stillPack(const BattleSkeleton& skeleton, std::span<const std::uint32_t> places,
                                   bool withWeapon, std::uint8_t keyBits);

/// Makes the counters that told the length tell it again; wide runs are of the old frames.
/// @param before how many frames there were
void tellFrameCount(BattleAnimation& animation, std::uint32_t before);

}  // namespace reanima::ff7
