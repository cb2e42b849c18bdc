/// Finds the roles of joints by shape and motion, for games whose bones are only numbered.
#pragma once

#include <vector>

#include "core/body_surface.h"
#include "core/clip.h"
#include "roles.h"

namespace reanima::roles {

/// The direction in which a game's characters face, if known.
enum class Facing {
    unknown,
    /// Mostly +Z, left at +X. Legs end at the ankles. The head is the second joint above the arms, or the only one;
    /// hats and hair above it are ignored.
    ahead,
};

/// Legs are the two equal chains that end lowest over all clips. Arms are the two equal chains above them. The head is
/// the highest of the other chains. Thigh and shin, upper arm and forearm are the two consecutive long bones of a
/// chain. Feet and knees point to the front, which shows left and right if `facing` does not. All frames of all clips
/// are used. Of the joints above the collar, the head is the one that carries most of the mesh.
/// @param clips on `skeleton`, +Y up; none: only its rest pose is used, which is less certain
[[nodiscard]] Anatomy anatomyByMotion(const core::Skeleton& skeleton, const std::vector<core::Clip>& clips,
                                      const core::BodySurface& surface = {}, Facing facing = Facing::unknown);

}  // namespace reanima::roles
