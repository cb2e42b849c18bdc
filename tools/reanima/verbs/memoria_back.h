/// `encode EDITED.glb --into Animations/GEO_X/ -o NEW/`: clips that another program changed, as files for Memoria.
#pragma once

#include "tools/reanima/system/console.h"
#include "tools/reanima/verbs/encode_into.h"

namespace reanima::tool {

/// Writes the clips that differ from those of the folder, and with --append those that it does not have. All others are
/// not written: their files stay where they are. In a changed clip, joints that are as they were keep their keys.
/// @param options with one original, a folder of clips
/// @return an ExitStatus
/// @throws core::DecodeError for a scene without the folder's joints, or with clips of other names; UsageError
int encodeIntoFolder(const EncodeMotionOptions& options, const Console& console);

}  // namespace reanima::tool
