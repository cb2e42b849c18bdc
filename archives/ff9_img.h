/// The image of Final Fantasy IX for PlayStation (FF9.IMG).
///
/// Layout and evidence: docs/formats/ff9_img.md
#pragma once

#include "archive.h"

namespace reanima::archives {

extern const ArchiveFormat kFf9Img;

}  // namespace reanima::archives
