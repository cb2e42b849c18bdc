/// What joints are for, by their shape and motion: for the numbered bones of games.
#pragma once

#include <vector>

#include "core/body_surface.h"
#include "core/clip.h"
#include "roles.h"

namespace reanima::roles {

/// Which way bodies of a game face, where that is known.
enum class Facing {
    unknown,
    /// Mostly +Z, with the left at +X; legs end at the ankles, and the head is the second joint above the arms, or the
    /// only one, whatever hats and hair grow from it.
    ahead,
};

/// Legs are the two equal chains that end lowest over all clips, arms the two equal ones above them, the head what is
/// highest of the rest; thigh and shin, upper arm and forearm are the two long bones in a row of such a chain. Feet
/// and knees point to the front, which tells left from right where `facing` does not. All frames of all clips are
/// looked at, never one alone. Of the joints above the collar the head is the one that carries most of the mesh, with
/// which a face is seen.
/// @param clips on `skeleton`, +Y up; none: its rest pose alone, which is less certain
[[nodiscard]] Anatomy anatomyByMotion(const core::Skeleton& skeleton, const std::vector<core::Clip>& clips,
                                      const core::BodySurface& surface = {}, Facing facing = Facing::unknown);

}  // namespace reanima::roles
