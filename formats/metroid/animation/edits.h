/// Writes changed clips into animations of Metroid Prime.
#pragma once

#include <string>
#include <vector>

#include "animation.h"
#include "core/asset.h"
#include "core/clip_edits.h"

namespace reanima::metroid {

/// Half the smallest step of rotations and positions in this animation.
/// @param scale metres per unit of the game
[[nodiscard]] core::StoredSteps stepsOf(const Animation& animation, double scale);

/// The content of a new animation.
enum class ContentKind {
    stream,  ///< type 2
    arrays,  ///< type 0
};

/// The largest bone id that a channel can store in such a file.
[[nodiscard]] std::uint32_t mostBoneId(Game game, ContentKind kind);

/// An animation of one frame with a channel for a single bone, at rest.
/// @param rate frames per second
[[nodiscard]] Animation stillAnimation(Game game, ContentKind kind, double rate, std::uint32_t bone);

/// Puts changed frames into an animation. Unchanged keys keep their numbers. If a changed frame has no key, all frames
/// get one. An edit that replaces the whole animation adds missing channels.
/// @param original the result of toAsset() for this animation
/// @return a list of edits that can't be stored: bones without a channel, properties that a channel lacks, scales
/// @throws core::DecodeError for positions beyond 16 bits
[[nodiscard]] std::vector<std::string> applyEdit(Animation& animation, const core::Asset& original,
                                                 const core::ClipEdit& edit, double scale);

/// Like applyEdit(), for a still animation of type 2. Chooses the coarsest numbers that are precise enough.
/// @param degrees allowed error of rotations; a warning is given if the format can't reach it
[[nodiscard]] std::vector<std::string> applyCoarsely(Animation& animation, const core::Asset& original,
                                                     const core::ClipEdit& edit, double scale, double degrees,
                                                     core::Diagnostics& diagnostics);

}  // namespace reanima::metroid
