/// Converts animations of other programs' scenes to the common model.
#pragma once

#include <optional>
#include <string>

#include "asset.h"
#include "diagnostics.h"
#include "limits.h"
#include "scene_motion.h"

namespace reanima::core {

struct SceneAssetSettings {
    double scale = 1;              ///< metres per unit of the scene
    std::optional<double> rate{};  ///< frames per second to use instead of the file's
    std::string source{};          ///< the file's name, used for clips without a name
    std::string jointRoot{};       ///< name of the node above the joints; empty: the skeleton with most joints
};

/// The skeleton of a scene, see makeRig(), and a clip for each animation that moves one of its joints. A note states
/// how many other animations there are. Meshes are ignored.
///
/// Keys keep their times; an animation that begins before 0 is moved to 0. All channels become linear: CUBICSPLINE gets
/// additional keys, no more than 1/60 s apart, and STEP gets a key with the old value just before each change. Joints
/// without channels keep their node's transform, not the bind pose. Clip::rate is the rate that fits the keys.
/// @throws DecodeError as makeRig() does; of the kind `option` if no node has the name in the settings, `limit` for
/// keys that need too much memory
[[nodiscard]] Asset assetOf(MovingScene moving, const SceneAssetSettings& settings, const Limits& limits,
                            Diagnostics& diagnostics);

}  // namespace reanima::core
