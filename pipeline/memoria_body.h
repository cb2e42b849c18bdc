/// Facts about a skeleton, from its Final Fantasy IX clips.
#pragma once

#include <optional>

#include "core/asset.h"
#include "core/rig.h"
#include "core/skeleton.h"

namespace reanima {

/// For a humanoid: sets the roles of joints, and the skeleton's value `ankle_height`, in metres. The game's floor is at
/// y = 0 and its skeletons end at the ankles, so this is the lowest height of an ankle. The median over all clips is
/// used, since feet sink below the floor in some clips, and the character does not stand in others. Other bodies stay
/// unchanged: those whose root does not have the game's numbered name, or whose feet have joints below them.
/// @param asset the clips of a character
void tellMemoriaBody(core::Asset& asset);

/// Sets the roles of a model's joints by its rest pose and meshes. The model is upright and faces +Z. It needs no ankle
/// height, since its meshes show the soles.
void tellMemoriaBody(core::Rig& rig);

/// Clips store no rest pose. This takes the rest pose from the model's joints.
void restAsModel(const core::Skeleton& model, core::Asset& asset);

/// The skeleton's `ankle_height`, if it is set.
[[nodiscard]] std::optional<double> ankleHeightOf(const core::Skeleton& skeleton);

/// True if a skeleton is mirrored: negating X brings its rest pose closer to the clips of the same body. Rotations and
/// positions of joints are compared with the nearest frame. Joints that hardly rotate show the difference best.
/// @param rest a skeleton with the same joints by name and parent, of which some may be missing
/// @return empty if both are about equally close, or if few joints match
[[nodiscard]] std::optional<bool> isSeenInMirror(const core::Skeleton& rest, const core::Asset& asset);

}  // namespace reanima
