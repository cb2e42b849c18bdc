/// Facts about a body from its Final Fantasy IX clips.
#pragma once

#include <optional>

#include "core/asset.h"
#include "core/rig.h"
#include "core/skeleton.h"

namespace reanima {

/// For a humanoid: sets the roles of joints, and the skeleton's value `ankle_height`, in metres. The game's floor is at
/// y = 0 and its skeletons end at the ankles, so this is the lowest height of an ankle: the median over all clips,
/// since some sink below the floor, and in others the character does not stand. Other bodies stay unchanged: those
/// whose root does not have the game's numbered name, or whose feet have joints below them.
/// @param asset the clips of a character
void tellMemoriaBody(core::Asset& asset);

/// The same for a model, upright and facing +Z, by its rest pose and meshes: only roles, since its meshes show the
/// soles.
void tellMemoriaBody(core::Rig& rig);

/// Gives clips of a model's own joints the model's rest pose, since clips store none.
void restAsModel(const core::Skeleton& model, core::Asset& asset);

/// `ankle_height`, if the skeleton has it.
[[nodiscard]] std::optional<double> ankleHeightOf(const core::Skeleton& skeleton);

/// True if a skeleton is mirrored: its rest pose is closer to its own body's clips with X negated. Compared are
/// rotations of joints with the nearest frame, which is clearest for joints that hardly rotate, and positions of
/// joints.
/// @param rest a skeleton with the same joints, by name and parent; some may be missing
/// @return nothing if both are about as close, or if few joints match
[[nodiscard]] std::optional<bool> isSeenInMirror(const core::Skeleton& rest, const core::Asset& asset);

}  // namespace reanima
