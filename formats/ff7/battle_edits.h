/// Writes changed clips into a battle pack.
#pragma once

#include <span>

#include "battle_animation.h"
#include "battle_clips.h"
#include "battle_skeleton.h"
#include "core/asset.h"
#include "core/clip_edits.h"
#include "formats/edited_asset.h"

namespace reanima::ff7 {

/// Puts changed frames into a pack. The weapon animation of a body animation gets the same length.
/// @param clips the clips that toAsset() made from the pack with these settings
/// @return edits that the pack can't store: positions of joints other than the root, scales
[[nodiscard]] std::vector<std::string> applyEdits(BattlePack& pack, const BattleSkeleton* skeleton,
                                                  const ClipSettings& settings, const core::Asset& original,
                                                  std::span<const core::ClipEdit> edits,
                                                  core::Diagnostics& diagnostics);

/// A pack whose animations have one frame without rotations.
/// @param places indices of body animations, unique; all other entries, up to the skeleton's number of animations,
/// become empty chunks (Kind::special)
/// @param withWeapon each animation also gets a weapon animation
/// @param keyBits one of kKeyBits, for all animations
/// @throws core::DecodeError if there is no entry for a weapon animation after the body's
[[nodiscard]] BattlePack stillPack(const BattleSkeleton& skeleton, std::span<const std::uint32_t> places,
                                   bool withWeapon, std::uint8_t keyBits);

/// Updates both counters of frames, and drops wide runs. In the game's files `frame_count` is often off by one or more.
/// No known program reads it, so the difference is kept.
/// @param before the old number of frames
void tellFrameCount(BattleAnimation& animation, std::uint32_t before);

}  // namespace reanima::ff7
