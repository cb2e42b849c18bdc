/// Changed clips in animations of Metroid Prime.
#pragma once

#include <string>
#include <vector>

#include "animation.h"
#include "core/asset.h"
#include "core/clip_edits.h"

namespace reanima::metroid {

/// Half of the least change of a rotation and of a place in this animation.
/// @param scale metres per unit of the game
[[nodiscard]] core::StoredSteps stepsOf(const Animation& animation, double scale);

/// Of a new animation.
enum class ContentKind {
    stream,  ///< type 2
    arrays,  ///< type 0
};

/// The largest id of a bone that such a file can name in a channel.
[[nodiscard]] std::uint32_t mostBoneId(Game game, ContentKind kind);

/// An animation of one frame in which a bone rests; others have no channels.
/// @param rate frames per second
[[nodiscard]] Animation stillAnimation(Game game, ContentKind kind, double rate, std::uint32_t bone);

/// Puts changed frames into an animation. Keys that are not changed keep their numbers; where a frame is changed that
/// has no key, all frames get one. An edit that replaces all of it adds the channels that it needs.
/// @param original that toAsset() made of it
/// @return what it can't hold: bones without a channel, properties that a channel has not, scales
/// @throws core::DecodeError for places that 16 bits do not reach
[[nodiscard]] std::vector<std::string> applyEdit(Animation& animation, const core::Asset& original,
                                                 const core::ClipEdit& edit, double scale);

/// The same for a still animation of type 2, with numbers that are as coarse as they may be.
/// @param degrees that a rotation may be off; a warning says where the format can't hold them as well
[[nodiscard]] std::vector<std::string> applyCoarsely(Animation& animation, const core::Asset& original,
                                                     const core::ClipEdit& edit, double scale, double degrees,
                                                     core::Diagnostics& diagnostics);

}  // namespace reanima::metroid
