/// DBs and chunks of Final Fantasy IX as archives of the objects in them.
///
/// Layout and evidence: docs/formats/ff9_container.md
#pragma once

#include "archive.h"

namespace reanima::archives {

extern const ArchiveFormat kFf9Db;
extern const ArchiveFormat kFf9Chunk;

}  // namespace reanima::archives
