/// Orients motion whose file does not state which axis is up.
#pragma once

#include "core/asset.h"
#include "core/diagnostics.h"

namespace reanima {

/// Rotates an asset so that +Y is up if its body stands along another axis, with a note.
void standUpright(core::Asset& asset, core::Diagnostics& diagnostics);
/// Rotates motion and rest pose so that the given axis, `x` or `-z`, becomes up.
void standUpright(core::Asset& asset, std::string_view up);

}  // namespace reanima
