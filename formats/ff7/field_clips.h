/// Converts field skeletons and animations to joints and clips of the common model.
#pragma once

#include <optional>
#include <string>

#include "core/asset.h"
#include "field_animation.h"
#include "field_skeleton.h"

namespace reanima::ff7 {

/// The limit for bone lengths and positions of field files, in units of the game. Sums of larger ones can overflow.
inline constexpr double kMostFieldUnits = 1e18;

/// How a field animation becomes a clip.
struct FieldSettings {
    std::string source;                    ///< name of the animation's file
    std::string stem;                      ///< name of the clip
    double rate = 30;                      ///< frames per second on the field
    double scale = 0.052;                  ///< metres per unit of the game: a character is as tall as in battle, 1.73 m
    std::optional<std::uint32_t> bones{};  ///< number of bones of the placeholder skeleton
};

/// The joints: `root`, which has the rotation and translation of the root, and the bones below it. A child starts where
/// its parent's bone ends: T(0, 0, -length). The format has no rest pose.
[[nodiscard]] core::Skeleton toSkeleton(const FieldSkeleton& skeleton, double scale);

/// One clip, on `skeleton` or, if that is null, on placeholder joints. Bones of the skeleton that the animation lacks
/// are not rotated, as in the game; a warning reports them.
[[nodiscard]] core::Asset toAsset(const FieldAnimation& animation, const FieldSkeleton* skeleton,
                                  const FieldSettings& settings, core::Diagnostics& diagnostics);

}  // namespace reanima::ff7
