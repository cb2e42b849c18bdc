/// DBs and chunks of Final Fantasy IX, read as archives of their objects.
///
/// Layout and evidence: docs/formats/ff9_container.md
#pragma once

#include "archive.h"

namespace reanima::archives {

extern const ArchiveFormat kFf9Db;
extern const ArchiveFormat kFf9Chunk;

}  // namespace reanima::archives
