/// Archives of the ZVision engine (ZFS).
///
/// Layout and evidence: docs/formats/zfs.md
#pragma once

#include "archive.h"

namespace reanima::archives {

extern const ArchiveFormat kZfs;

}  // namespace reanima::archives
