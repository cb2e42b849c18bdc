/// What clips of Final Fantasy IX tell of the body that they move.
#pragma once

#include <optional>

#include "core/asset.h"
#include "core/rig.h"
#include "core/skeleton.h"

namespace reanima {

/// Of a humanoid, as all clips show it: gives joints their roles, and the skeleton the value `ankle_height`, in metres.
/// The game's floor is at y = 0 and its skeletons end at the ankles, so that is how low an ankle comes: the median of
/// all clips, as some sink below the floor, and in others nobody stands. What is no humanoid stays as it is, and so
/// does what has another root than the game's, which is numbered.
/// @param asset the clips of a character
void tellMemoriaBody(core::Asset& asset);

/// The same of a model, upright and facing +Z, by its rest pose and its meshes: roles alone, since its meshes show the
/// soles.
void tellMemoriaBody(core::Rig& rig);

/// Clips have no rest pose: those of a model's own joints have the model's.
void restAsModel(const core::Skeleton& model, core::Asset& asset);

/// `ankle_height`, where the skeleton has it.
[[nodiscard]] std::optional<double> ankleHeightOf(const core::Skeleton& skeleton);

/// True if a skeleton is seen in a mirror: its joints rest nearer to what the clips of its own body show with the
/// opposite X. Counted are the rotations of joints against the nearest frame, which a joint that hardly turns
/// tells best, and places of joints.
/// @param rest a skeleton of the same joints, by name and parent, as far as it has them
/// @return nothing where both are about as near, or few joints are the same
[[nodiscard]] std::optional<bool> isSeenInMirror(const core::Skeleton& rest, const core::Asset& asset);

}  // namespace reanima
