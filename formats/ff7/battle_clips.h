/// Converts battle packs and skeletons to clips and joints of the common model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "battle_animation.h"
#include "battle_skeleton.h"
#include "core/asset.h"

namespace reanima::ff7 {

/// The joint that a weapon's animations move.
inline constexpr std::string_view kWeaponJoint = "weapon000";

/// How a pack becomes clips.
struct ClipSettings {
    std::string source;                    ///< name of the pack's file
    std::string stem;                      ///< clips are called <stem>_000, <stem>_001, ...
    double rate = 15;                      ///< frames per second in battle
    double scale = 1.0 / 512;              ///< metres per unit of the game: a hip at 466 is 0.91 m high
    double subdivide = 0;                  ///< largest rotation in degrees between two keys; 0: only the file's keys
    std::optional<std::uint32_t> bones{};  ///< number of bones of the placeholder skeleton
    std::uint8_t keyBits = 0;              ///< number of low bits that are 0 in changed angles: one of kKeyBits
};

/// The joints `root`, `bone000`, `bone001`, ... The root carries triple 0 and the translation. A child starts where its
/// parent's bone ends: T(0, 0, length), with the sign of the length. The format has no rest pose.
[[nodiscard]] core::Skeleton toSkeleton(const BattleSkeleton& skeleton, double scale);

/// A clip for every animation that could be decoded, on `skeleton` or, if that is null, on placeholder joints.
///
/// Weapon animations (one triple) move the joint `weapon000`, which is in model space beside the root. If a skeleton
/// states N body animations, animation N + i becomes a channel in the clip of body animation i. If there is no body
/// animation i, it becomes a separate clip.
/// @throws core::DecodeError of the kind `limit` if added keys exceed the limits
[[nodiscard]] core::Asset toAsset(const BattlePack& pack, const BattleSkeleton* skeleton, const ClipSettings& settings,
                                  const core::Limits& limits, core::Diagnostics& diagnostics);

}  // namespace reanima::ff7
