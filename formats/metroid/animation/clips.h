/// Converts animations and skeletons of Metroid Prime to clips and joints of the common model.
#pragma once

#include <optional>
#include <string>

#include "animation.h"
#include "core/asset.h"
#include "core/diagnostics.h"
#include "core/limits.h"
#include "evnt.h"
#include "formats/metroid/cinf.h"

namespace reanima::metroid {

/// How an animation becomes a clip.
struct ClipSettings {
    std::string source;            ///< name of the file
    std::string name;              ///< name of the clip
    std::optional<double> rate{};  ///< frames per second, instead of the stored interval
    double scale = 1;              ///< metres per unit of the game: a unit is about a metre
    double subdivide = 0;          ///< largest rotation of a joint in degrees between two keys; 0: half a turn
    bool additive = false;         ///< the values are changes to another clip
};

/// Joints with the names of the file, or `bone003` by id. A repeated name gets `_2`. The rest pose is from the file,
/// which has positions but no rotations.
[[nodiscard]] core::Skeleton toSkeleton(const Cinf& cinf, double scale);

/// One clip, on the joints of `cinf` or, if that is null, on placeholder joints.
///
/// In the game, a joint's scale affects the positions of its children, but they do not inherit it. So the scale becomes
/// a channel of a helper joint `<joint>_scale`. If the game interpolates a rotation the long way, keys are added.
/// @param evnt may be null
/// @throws core::DecodeError if no channel belongs to a bone of the skeleton, if the keys exceed the limits, or if
/// frames can't be distinguished by their times
[[nodiscard]] core::Asset toAsset(const Animation& animation, const Cinf* cinf, const Evnt* evnt,
                                  const ClipSettings& settings, const core::Limits& limits,
                                  core::Diagnostics& diagnostics);

}  // namespace reanima::metroid
