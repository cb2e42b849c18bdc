/// Finds the roles of a rig's joints by their positions at rest, whatever their names.
#pragma once

#include "core/body_surface.h"
#include "roles.h"

namespace reanima::roles {

/// The roles of a body that stands at rest and whose left and right sides mirror each other. The feet show the front.
/// If they do not, names show the sides. If neither does, the body is taken to look along +Z and is not certain.
[[nodiscard]] Anatomy anatomyAtRest(const core::Skeleton& rig, const core::BodySurface& surface);

}  // namespace reanima::roles
