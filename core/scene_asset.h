/// Converts motion of other programs to the common model.
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
    std::optional<double> rate{};  ///< frames per second to play at instead of the file's
    std::string source{};          ///< the file's name, used for clips without a name
    std::string jointRoot{};       ///< the skeleton is the one with this node; empty: the one with most joints
};

/// The skeleton of a scene, see makeRig(), and a clip for each animation that moves a joint of it; a note counts the
/// others. Meshes stay out.
///
/// Keys stay where they are, in the file's own time, from 0 on: an animation that begins earlier is moved to 0. All
/// channels become linear: CUBICSPLINE gets further keys at most 1/60 s apart, STEP gets a key just before each change
/// that holds the value. Joints without channels keep their nodes' pose, which may differ from the bind pose.
/// Clip::rate is the rate that the keys fit.
/// @throws DecodeError as makeRig() does; of the kind `option` if no node has the name in the settings, `limit` for
/// keys that take too much memory
[[nodiscard]] Asset assetOf(MovingScene moving, const SceneAssetSettings& settings, const Limits& limits,
                            Diagnostics& diagnostics);

}  // namespace reanima::core
