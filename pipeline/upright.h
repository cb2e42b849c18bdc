/// Orients motion from files that do not state which axis is up.
#pragma once

#include "core/asset.h"
#include "core/diagnostics.h"

namespace reanima {

/// Rotates an asset so that +Y is up, with a note. Does nothing if its body is already upright or the up axis is
/// unknown.
void standUpright(core::Asset& asset, core::Diagnostics& diagnostics);
/// Rotates motion and rest pose so that the given axis, `x` or `-z`, becomes up.
void standUpright(core::Asset& asset, std::string_view up);

}  // namespace reanima
