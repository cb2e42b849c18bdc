/// Motion of other programs in the common model.
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
    std::optional<double> rate{};  ///< frames per second: the motion plays faster or slower
    std::string source{};          ///< the file's name, after which clips without a name are called
    std::string jointRoot{};       ///< the skeleton is the one with this node; empty: the one with most joints
};

/// The skeleton of a scene, see makeRig(), and a clip for each animation that moves a joint of it; a note counts the
/// others. Meshes stay out.
///
/// Keys stay where they are, in the file's own time, from 0 on: an animation that begins earlier is moved to 0. Between
/// the keys of a CUBICSPLINE there are further ones, at most 1/60 s apart, and right before those of a STEP one that
/// holds the value: every channel is linear. What no channel moves stays as the nodes
/// have it, which may be another pose than the one that the meshes are bound in. Clip::rate is the one that the keys
/// lie on, as far as they show it.
/// @throws DecodeError as makeRig() does; of the kind `option` if no node is called as the settings say, `limit` for
/// keys that take too much memory
[[nodiscard]] Asset assetOf(MovingScene moving, const SceneAssetSettings& settings, const Limits& limits,
                            Diagnostics& diagnostics);

}  // namespace reanima::core
