/// Motion whose file does not say which axis is up.
#pragma once

#include "core/asset.h"
#include "core/diagnostics.h"

namespace reanima {

/// Turns the whole so that +Y is up, where its body stands along another axis; a note says so.
void standUpright(core::Asset& asset, core::Diagnostics& diagnostics);

}  // namespace reanima
