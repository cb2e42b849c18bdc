/// Archives of Metroid Prime and Metroid Prime 2: Echoes (PAK).
///
/// Layout and evidence: docs/formats/metroid_pak.md
#pragma once

#include "archive.h"

namespace reanima::archives {

extern const ArchiveFormat kMetroidPak;

}  // namespace reanima::archives
