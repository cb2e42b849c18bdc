/// Converts monsters to clips and joints of the common model.
#pragma once

#include "core/asset.h"
#include "formats/file_clips.h"
#include "mesh.h"
#include "monster.h"

namespace reanima::ff8 {

/// The rate in battle in frames per second, and metres per unit of the game.
inline constexpr AngleClipSettings kUsualSettings{15, 1.0 / 640};

/// Metres per unit of length.
/// @param scale metres per unit of the game
[[nodiscard]] double unitOf(const Skeleton& skeleton, double scale);

/// The joints `bone000`, `bone001`, ..., and a clip for every animation that has frames. A child starts where its
/// parent's bone ends: T(0, 0, length), with the sign of the length. The format has no rest pose. Clips have the index
/// of their animation. Animations with scales get no added keys.
/// @param objects the mesh's objects. The error of scales that nodes can't represent is measured at their vertices
/// @throws core::DecodeError of the kind `limit` if the clips exceed the limits
[[nodiscard]] core::Asset toAsset(const Monster& monster, const std::vector<Object>& objects,
                                  const FileClipSettings& settings, const core::Limits& limits,
                                  core::Diagnostics& diagnostics);

}  // namespace reanima::ff8
