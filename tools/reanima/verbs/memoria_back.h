/// `encode EDITED.glb --into Animations/GEO_X/ -o NEW/`: writes edited clips as files for Memoria.
#pragma once

#include "tools/reanima/system/console.h"
#include "tools/reanima/verbs/encode_into.h"

namespace reanima::tool {

/// Writes the clips that differ from the folder's clips, and with --append also new ones. Other files stay unchanged.
/// In a changed clip, unchanged joints keep their keys.
/// @param options the only original is a folder of clips
/// @return an ExitStatus
/// @throws core::DecodeError for a scene without the folder's joints, or with clips of other names; UsageError
int encodeIntoFolder(const EncodeMotionOptions& options, const Console& console);

}  // namespace reanima::tool
