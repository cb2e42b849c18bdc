/// The height of a body.
#pragma once

#include <optional>

#include "body_surface.h"
#include "skeleton.h"

namespace reanima::core {

/// Metres from the lowest to the highest vertex in the rest pose. Empty if no vertex is known.
/// @param surface vertices in the spaces of the skeleton's joints
[[nodiscard]] std::optional<double> restHeight(const BodySurface& surface, const Skeleton& skeleton);

}  // namespace reanima::core
