/// Converts animations and models of Final Fantasy IX to clips and joints of the common model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "animation.h"
#include "core/asset.h"
#include "core/large_steps.h"
#include "model.h"

namespace reanima::ff9 {

/// How an animation becomes a clip.
struct ClipSettings {
    double rate = 30;          ///< frames per second on fields; 15 in battle, 20 on the world map
    double scale = 1.0 / 256;  ///< metres per unit of the game: a character of 458 is 1.79 m tall
};

/// The option that the note about large steps suggests: no interpolation, as in the game.
inline const core::OptionHint kStepRemedy{"interpolation", "step"};

/// The joints `bone000`, `bone001`, ... A bone's length is its distance from its parent along the parent's +Z. The
/// format has no rest pose.
[[nodiscard]] core::Skeleton toSkeleton(const ModelHead& model, double scale);

/// Joints for animations without a model. All others are children of `bone000`.
[[nodiscard]] core::Skeleton madeUpSkeleton(std::size_t bones, double scale);

/// Makes a clip called `name` on a skeleton with bones in file order. Only the first `joints` bones are used.
///
/// Bone 0 carries the translation. Constant channels have one key, others one per frame. Rotations so large that
/// players may interpolate them either way are added to `largeSteps`.
[[nodiscard]] core::Clip toClip(const Animation& animation, std::string name, std::size_t joints,
                                const ClipSettings& settings, core::LargeSteps& largeSteps);

/// Gives each clip the game's name for the clip's id, if that name belongs to the model.
/// @param model the model's id
void nameClips(std::vector<core::Clip>& clips, std::uint32_t model);

}  // namespace reanima::ff9
