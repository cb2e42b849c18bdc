/// Archives of Final Fantasy VII for PC (LGP).
///
/// Layout and evidence: docs/formats/lgp.md
#pragma once

#include "archive.h"

namespace reanima::archives {

extern const ArchiveFormat kLgp;

}  // namespace reanima::archives
